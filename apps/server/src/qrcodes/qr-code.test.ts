import { expect, test } from 'vitest';
import { change, nextStatus, type QrCode } from './qr-code.ts';

const code: QrCode = {
  id: '00000000-0000-7000-8000-000000000000',
  number: 1,
  name: 'Menu',
  destinationUrl: 'https://example.com',
  keySpace: '',
  shortCode: 'menu',
  status: 'active',
  style: {},
  totalScans: 0,
  uniqueScans: 0,
  suspension: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
};

test('active: false pauses, active: true resumes and publishes', () => {
  expect(nextStatus('active', false)).toBe('paused');
  expect(nextStatus('paused', true)).toBe('active');
  expect(nextStatus('draft', true)).toBe('active');
  expect(nextStatus('active', true)).toBe('active');
  expect(nextStatus('paused', false)).toBe('paused');
});

test('a draft cannot be paused', () => {
  expect(() => nextStatus('draft', false)).toThrow(expect.objectContaining({ code: 'invalid_transition' }));
});

test('a change touches only what it names, and the time of the update', () => {
  const now = new Date(5000);
  expect(change(code, { name: 'Card' }, now)).toEqual({ ...code, name: 'Card', updatedAt: now });
  expect(change(code, { active: false }, now)).toEqual({ ...code, status: 'paused', updatedAt: now });
  expect(change(code, {}, now)).toBe(code);
});
