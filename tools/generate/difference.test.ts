import { expect, test } from 'vitest';
import { firstDifferences } from './difference.ts';

test('equal texts have no differences', () => {
  expect(firstDifferences('a\nb\n', 'a\nb\n')).toEqual([]);
});

test('the first lines that differ are shown with their number, from both texts', () => {
  expect(firstDifferences('a\nold', 'a\nnew\nmore')).toEqual(['2 - old', '2 + new', '3 + more']);
});

test('a text that is only longer differs', () => {
  expect(firstDifferences('a', 'a\nb')).toEqual(['2 + b']);
});
