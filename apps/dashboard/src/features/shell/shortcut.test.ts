import { expect, test } from 'vitest';
import { shortcutOf } from './shortcut.ts';

const pressed = (key: string, more: object = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
});

test('single keys work only while nobody types', () => {
  const keys = ['c', 'C', '/', '?', 'x'].map(key => pressed(key));
  expect(keys.map(key => shortcutOf(key, false))).toEqual([
    'new-code',
    'new-code',
    'search',
    'keys',
    undefined,
  ]);
  expect(keys.map(key => shortcutOf(key, true))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('the palette opens from everywhere, and keys of the browser stay its own', () => {
  expect(shortcutOf(pressed('k', { ctrlKey: true }), true)).toBe('palette');
  expect(shortcutOf(pressed('K', { metaKey: true }), false)).toBe('palette');
  expect(shortcutOf(pressed('c', { ctrlKey: true }), false)).toBeUndefined();
  expect(shortcutOf(pressed('c', { altKey: true }), false)).toBeUndefined();
  expect(shortcutOf(pressed('c', { repeat: true }), false)).toBeUndefined();
  expect(shortcutOf(pressed('c', { isComposing: true }), false)).toBeUndefined();
});
