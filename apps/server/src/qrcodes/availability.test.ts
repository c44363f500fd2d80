import { expect, test } from 'vitest';
import { availabilityOf } from './availability.ts';

const since = new Date('2026-01-02T03:04:05Z');
const stop = (reason: string) => ({ reason, since });
const good = { suspension: null, heldSince: null };
const active = { status: 'active', suspension: null } as const;

test('a link works where its owner has set it active and nothing stops it', () => {
  expect(availabilityOf(active, good)).toEqual({ state: 'live', since: null, reason: null });
  for (const status of ['paused', 'draft'] as const)
    expect(availabilityOf({ ...active, status }, good)).toEqual({ state: 'off', since: null, reason: null });
});

test('a suspension comes before everything else, that of the account before that of the code', () => {
  const code = { status: 'paused', suspension: stop('code') } as const;
  expect(availabilityOf(code, { ...good, heldSince: since })).toEqual({
    state: 'suspended',
    ...stop('code'),
  });
  expect(availabilityOf(code, { ...good, suspension: stop('account') })).toMatchObject({
    state: 'suspended',
    reason: 'account',
  });
});

test('a held link is held whatever its owner has set', () => {
  for (const status of ['active', 'paused', 'draft'] as const)
    expect(availabilityOf({ ...active, status }, { ...good, heldSince: since })).toEqual({
      state: 'held',
      since,
      reason: null,
    });
});
