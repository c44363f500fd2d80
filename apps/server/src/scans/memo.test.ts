import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemo } from './memo.ts';

test('a memo returns the computed value, whatever it has evicted', () => {
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

test('frequently used texts are computed once; long texts and old ones again', () => {
  const computed: string[] = [];
  const memo = createMemo({ maxEntries: 4, maxLength: 3 }, text => {
    computed.push(text);
    return { text };
  });
  for (const text of ['a', 'b', 'a', 'c', 'a', 'd', 'a', 'e', 'a', 'f', 'a']) memo(text);
  expect(computed.filter(text => text === 'a')).toHaveLength(1);
  memo('b');
  expect(computed.filter(text => text === 'b')).toHaveLength(2);
  memo('long');
  memo('long');
  expect(computed.filter(text => text === 'long')).toHaveLength(2);
});
