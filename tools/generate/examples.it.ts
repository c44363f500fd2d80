import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Examples, recordExamples } from './examples/record.ts';

const file = new URL('../../packages/contract/src/examples.json', import.meta.url);
const committed: Examples = JSON.parse(readFileSync(file, 'utf8'));

test('a running service answers in the form of the recorded examples', async () => {
  const recorded = await recordExamples();
  const message = 'The service no longer answers as the examples show: run npm run examples';
  expect(formOf(recorded), message).toEqual(formOf(committed));
  expect(statusesOf(recorded), message).toEqual(statusesOf(committed));
});

test('a field that is added, lost or of another type, and another status, would be found', () => {
  const form = JSON.stringify(formOf(committed));
  const { getQrCode, ...others } = committed.operations;
  const changed = (response: object, status = 200) => ({
    ...committed,
    operations: { ...others, getQrCode: { ...getQrCode!, status, response } },
  });
  const response = getQrCode!.response as Record<string, unknown>;
  const { name: _name, ...lost } = response;
  for (const one of [{ ...response, added: 1 }, lost, { ...response, name: 1 }, { ...response, name: null }])
    expect(JSON.stringify(formOf(changed(one)))).not.toBe(form);
  expect(statusesOf(changed(response, 201))).not.toEqual(statusesOf(committed));
});

/** The keys and types of a value. Items of a list count as one, whichever come first and however many. */
function formOf(value: unknown): unknown {
  if (Array.isArray(value))
    return [...new Set(value.map(item => JSON.stringify(formOf(item))))]
      .toSorted()
      .map(one => JSON.parse(one));
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, formOf(item)]),
  );
}

const statusesOf = ({ operations, errors }: Examples) => ({
  operations: Object.entries(operations).map(([id, { status }]) => `${id} ${status}`),
  errors: errors.map(({ operation, status, response }) => `${operation} ${status} ${response.error.code}`),
});
