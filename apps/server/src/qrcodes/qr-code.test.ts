import { expect, test } from 'vitest';
import { noRules } from '../rules/code-rules.ts';
import { change, nextStatus, type QrCode } from './qr-code.ts';

const code: QrCode = {
  id: '00000000-0000-7000-8000-000000000000',
  number: 1,
  name: 'Menu',
  destinationUrl: 'https://example.com',
  keySpace: '',
  domain: null,
  shortCode: 'menu',
  status: 'active',
  archived: false,
  style: {},
  totalScans: 0,
  uniqueScans: 0,
  tags: [],
  note: null,
  externalId: null,
  metadata: {},
  suspension: null,
  routing: noRules,
  placements: [],
  hadPlacements: false,
  usedUpAt: null,
  revision: 0,
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
  expect(change(code, { name: 'Card' }, now)).toEqual({ ...code, name: 'Card', updatedAt: now, revision: 1 });
  expect(change(code, { active: false }, now)).toEqual({
    ...code,
    status: 'paused',
    updatedAt: now,
    revision: 1,
  });
  expect(change(code, {}, now)).toBe(code);
});

test('a change to what the code has already is none', () => {
  const routing = { ...noRules, startsAt: new Date(1), appendQuery: { a: '1', b: '2' } };
  const set = { ...code, note: 'x', tags: ['Print'], metadata: { a: '1', b: '2' }, routing };
  const same = [
    { name: 'Menu', destinationUrl: 'https://example.com', active: true, note: 'x', externalId: null },
    { tags: ['print'] },
    { metadata: { b: '2' } },
    { metadata: { c: null } },
    { routing: { startsAt: new Date(1), appendQuery: { a: '1', b: '2' }, rules: [] } },
  ];
  for (const wanted of same) expect(change(set, wanted, new Date(5000))).toBe(set);
  const other = [
    { tags: [] },
    { metadata: { b: '3' } },
    { metadata: null },
    { routing: { startsAt: new Date(2) } },
    { routing: { appendQuery: { b: '2', a: '1' } } },
  ];
  for (const wanted of other) expect(change(set, wanted, new Date(5000)).revision).toBe(1);
});

test('a limit that is raised above the scans so far lets a used-up code go on, and one below them stops it', () => {
  const now = new Date(5000);
  const counted = { ...code, totalScans: 10 };
  const limited = (from: typeof code, maxScans: number | null) =>
    change(from, { routing: { maxScans } }, now);
  expect(limited(counted, 10).usedUpAt).toEqual(now);
  expect(limited(counted, 11).usedUpAt).toBeNull();
  const usedUp = { ...limited(counted, 10), usedUpAt: new Date(1) };
  expect(limited(usedUp, 9).usedUpAt).toEqual(new Date(1));
  expect(limited(usedUp, null)).toMatchObject({ usedUpAt: null, routing: noRules });
});
