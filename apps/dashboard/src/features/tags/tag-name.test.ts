import { expect, test } from 'vitest';
import { foldTag, tagFault } from './tag-name.ts';

test('names that differ in case, composition or white space are the same tag', () => {
  expect(foldTag(' Caf\u0065\u0301 ')).toBe(foldTag('CAFÉ'));
  expect(foldTag('Menu')).not.toBe(foldTag('Menus'));
});

test('a name has something besides dots and at most 50 characters', () => {
  expect(tagFault('Menu')).toBeNull();
  expect(tagFault('…')).toBeNull();
  expect(tagFault('😀'.repeat(50))).toBeNull();
  for (const name of ['', '  ', '.', '..', 'a'.repeat(51)]) expect(tagFault(name)).not.toBeNull();
});
