import { expect, test } from 'vitest';
import { fill } from './fill.ts';

const scans = { one: '{count} scan of {name}', other: '{count} scans of {name}' };

test('a number chooses the form, and is written as people write it', () => {
  expect(fill(scans, { count: 1, name: 'Menu' })).toBe('1 scan of Menu');
  expect(fill(scans, { count: 1234, name: 'Menu' })).toBe('1,234 scans of Menu');
});

test('a value is no pattern, and what has no value stays', () => {
  expect(fill('{name} and {other}', { name: '{other} $& 1' })).toBe('{other} $& 1 and {other}');
});
