import { expect, test } from 'vitest';
import { describeEdit, isUndoable } from './edits.ts';

test('a change is called by what it did', () => {
  expect(describeEdit({ field: 'created', to: null })).toBe('Created');
  expect(describeEdit({ field: 'status', to: 'paused' })).toBe('Paused');
  expect(describeEdit({ field: 'status', to: 'active' })).toBe('Made active');
  expect(describeEdit({ field: 'destination_url', to: 'https://b' })).toBe('Destination changed');
});

test('only a destination can be taken back, and only to where the code does not lead already', () => {
  expect(isUndoable({ field: 'destination_url', from: 'https://a' }, 'https://b')).toBe(true);
  expect(isUndoable({ field: 'destination_url', from: 'https://b' }, 'https://b')).toBe(false);
  expect(isUndoable({ field: 'name', from: 'A' }, 'https://b')).toBe(false);
});
