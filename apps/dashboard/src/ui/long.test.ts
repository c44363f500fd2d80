import { expect, test } from 'vitest';
import { isLong } from './long.ts';

test('a text is long by its characters or by its line breaks', () => {
  expect(isLong('', 3)).toBe(false);
  expect(isLong('a short one', 3)).toBe(false);
  expect(isLong('x'.repeat(300), 3)).toBe(true);
  expect(isLong('1\n2\n3\n4', 3)).toBe(true);
});
