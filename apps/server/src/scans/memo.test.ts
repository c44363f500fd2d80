import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemo } from './memo.ts';

test('a memo gives what was worked out, whatever it has forgotten', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.string({ maxLength: 3 })),
      (maxEntries, texts) => {
        const memo = createMemo({ maxEntries, maxLength: 2 }, text => ({ text }));
        for (const text of texts) expect(memo(text).text).toBe(text);
      },
    ),
  );
});

test('what is used again and again is worked out once, what is long or long ago again', () => {
  const made: string[] = [];
  const memo = createMemo({ maxEntries: 4, maxLength: 3 }, text => {
    made.push(text);
    return { text };
  });
  for (const text of ['a', 'b', 'a', 'c', 'a', 'd', 'a', 'e', 'a', 'f', 'a']) memo(text);
  expect(made.filter(text => text === 'a')).toHaveLength(1);
  memo('b');
  expect(made.filter(text => text === 'b')).toHaveLength(2);
  memo('long');
  memo('long');
  expect(made.filter(text => text === 'long')).toHaveLength(2);
});
