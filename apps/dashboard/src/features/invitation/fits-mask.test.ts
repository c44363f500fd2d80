import { expect, test } from 'vitest';
import { fitsMask } from './fits-mask.ts';

test('somebody who is signed in with another address is told so before they try', () => {
  expect(fitsMask('ada@example.com', 'a•••@example.com')).toBe(true);
  expect(fitsMask('Ada@Example.com', 'a•••@example.com')).toBe(true);
  expect(fitsMask('bob@example.com', 'a•••@example.com')).toBe(false);
  expect(fitsMask('ada@example.org', 'a•••@example.com')).toBe(false);
});
