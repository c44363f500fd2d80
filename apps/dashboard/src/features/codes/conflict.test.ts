import type { QrCode } from '@signpost/contract';
import { expect, test } from 'vitest';
import { conflictingFields } from './conflict.ts';

const base = {
  name: 'Menu',
  destination_url: 'https://a.example',
  status: 'active',
  archived: false,
  tags: ['menu'],
  metadata: { branch: 'Hamburg' },
  rules: [],
} as unknown as QrCode;
const changed = (more: object): QrCode => ({ ...base, ...more });

test('only a field that both have changed, to different values, is a conflict', () => {
  const latest = changed({ name: 'Theirs', tags: [] });
  expect(conflictingFields({ name: 'Mine' }, base, latest)).toEqual(['name']);
  expect(conflictingFields({ name: 'Theirs' }, base, latest)).toEqual([]);
  expect(conflictingFields({ destination_url: 'https://b.example' }, base, latest)).toEqual([]);
  expect(conflictingFields({ tags: ['new'], name: 'Mine' }, base, latest)).toEqual(['tags', 'name']);
});

test('pausing conflicts with another status only', () => {
  expect(conflictingFields({ active: false }, base, changed({ status: 'paused' }))).toEqual([]);
  expect(conflictingFields({ active: true }, base, changed({ status: 'paused' }))).toEqual(['status']);
});

test('metadata conflicts by key', () => {
  const latest = changed({ metadata: { branch: 'Berlin', table: '4' } });
  expect(conflictingFields({ metadata: { branch: 'Bremen' } }, base, latest)).toEqual(['metadata']);
  expect(conflictingFields({ metadata: { branch: null } }, base, latest)).toEqual(['metadata']);
  expect(conflictingFields({ metadata: { branch: 'Berlin' } }, base, latest)).toEqual([]);
  expect(conflictingFields({ metadata: { floor: '2' } }, base, latest)).toEqual([]);
});
