import { expect, test } from 'vitest';
import { accountOperations } from './account-operations.ts';
import { operations } from './operations.ts';
import { toFormProblem } from './problems.ts';

/** Every form in words that a schema of a request asks for. */
function formsIn(value: unknown, seen = new Set<unknown>()): readonly string[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  const own = 'x-form' in value && typeof value['x-form'] === 'string' ? [value['x-form']] : [];
  return [...own, ...Object.values(value).flatMap(one => formsIn(one, seen))];
}

const forms = [...new Set(formsIn([operations, accountOperations]))].sort();

test('every form that a request can miss has a code', () => {
  expect(forms.length).toBeGreaterThan(45);
  expect(forms.filter(form => toFormProblem(form) === undefined)).toEqual([]);
});

test.each([
  ['1 to 255 characters of well-formed text', 'text_length', { min: 1, max: 255 }],
  ['at most 2,000 characters of well-formed text, or null', 'text_up_to', { max: 2000 }],
  ['1 to 40 letters, digits, _, . or -', 'characters', { min: 1, max: 40, others: '_, . or -' }],
  ['1 to 24 lower-case letters, digits or -', 'characters', { min: 1, max: 24, others: '-' }],
  ['an id that looks like tgt_…, or default', 'id', { example: 'tgt_…' }],
  ['a list of a.b, c.d, each at most once', 'list', { allowed: 'a.b, c.d' }],
])('%s', (form, code, values) => {
  expect(toFormProblem(form)).toEqual({ code, values });
});
