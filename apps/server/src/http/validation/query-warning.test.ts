import { describe, expect, test } from 'vitest';
import { createQueryWarning } from './query-warning.ts';

const warningOf = createQueryWarning(['start_date', 'end_date', 'timezone']);

describe('a warning about a query', () => {
  test('is there only for what is not known', () => {
    expect(warningOf({})).toBeNull();
    expect(warningOf({ start_date: '2026-01-01', timezone: 'x' })).toBeNull();
    expect(warningOf({ start_date: '2026-01-01', from: '1' })).toBe(
      'unknown query parameter "from"; did you mean "start_date"?',
    );
  });

  test('lists what there is where nothing is near', () => {
    expect(warningOf({ colour: '1' })).toBe(
      'unknown query parameter "colour"; this operation takes start_date, end_date, timezone',
    );
    expect(createQueryWarning([])({ page: '1' })).toBe(
      'unknown query parameter "page"; this operation takes none',
    );
  });

  test('names three, and counts the rest', () => {
    const query = Object.fromEntries(Array.from({ length: 4000 }, (_, n) => [`x${n}`, '1']));
    const warning = warningOf(query)!;
    expect(warning.match(/unknown query parameter/g)).toHaveLength(3);
    expect(warning).toMatch(/, and 3997 more$/);
  });

  test.each([
    'a"; did you mean "key',
    '\r\nSet-Cookie: a=b',
    '\u0000\u007f\u0085',
    '\ud800',
    'naïve, \u{1f600}',
    '%0d%0a',
    '\\"',
    'x'.repeat(8000),
    '\u{1f600}'.repeat(4000),
    '__proto__',
    'constructor',
    '',
  ])('is visible ASCII of bounded length, and the name stays between its quotes: %j', name => {
    const warning = warningOf(Object.fromEntries([[name, '1']]))!;
    expect(warning).toMatch(/^[\x20-\x7e]+$/);
    expect(warning).toMatch(
      /^unknown query parameter "[^"\s,;]*"; (?:did you mean "\w+"\?|this operation takes [\w, ]+)$/,
    );
    expect(warning.length).toBeLessThan(250);
  });
});
