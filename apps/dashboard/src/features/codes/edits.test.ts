import { expect, test } from 'vitest';
import { describeEdit, isRestorable } from './edits.ts';

test('a change is called by what it did', () => {
  expect(describeEdit({ field: 'created', to: null })).toBe('Created');
  expect(describeEdit({ field: 'status', to: 'paused' })).toBe('Paused');
  expect(describeEdit({ field: 'status', to: 'active' })).toBe('Activated');
  expect(describeEdit({ field: 'destination_url', to: 'https://b' })).toBe('Destination changed');
});

test('only a destination can be restored, and only where the code does not lead there already', () => {
  expect(isRestorable({ field: 'destination_url', from: 'https://a' }, 'https://b')).toBe(true);
  expect(isRestorable({ field: 'destination_url', from: 'https://b' }, 'https://b')).toBe(false);
  expect(isRestorable({ field: 'name', from: 'A' }, 'https://b')).toBe(false);
});
