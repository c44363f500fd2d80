import { expect, test } from 'vitest';
import { fill } from './fill.ts';

const scans = { one: '{count} scan of {name}', other: '{count} scans of {name}' } as const;

test('a number chooses the form, and is written as people write it', () => {
  expect(fill(scans, { count: 1, name: 'Menu' })).toBe('1 scan of Menu');
  expect(fill(scans, { count: 1234, name: 'Menu' })).toBe('1,234 scans of Menu');
});

test('a value is no pattern', () => {
  expect(fill('{name} and {other}', { name: '{other} $& 1', other: 'Menu' })).toBe('{other} $& 1 and Menu');
});

test('a name cannot turn round the sentence that it stands in', () => {
  expect(fill('Delete “{name}”?', { name: 'a\u202egnp.exe\u2069' })).toBe('Delete “agnp.exe”?');
});

test('the compiler refuses a text without its values', () => {
  // @ts-expect-error: {other} has no value.
  expect(fill('{name} and {other}', { name: 'Menu' })).toBe('Menu and {other}');
  // @ts-expect-error: forms are chosen by a number.
  expect(fill({ one: 'One', other: 'Several' }, { count: '1' })).toBe('One');
});
