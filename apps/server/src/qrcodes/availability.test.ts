import { expect, test } from 'vitest';
import { noRules } from '../rules/code-rules.ts';
import { getAvailability as availabilityAt } from './availability.ts';

const since = new Date('2026-01-02T03:04:05Z');
const stop = (reason: string) => ({ reason, since });
const good = { suspension: null, heldSince: null };
const now = new Date('2026-06-01T12:00:00Z');
const unrouted = { routing: noRules, usedUpAt: null };
const active = { status: 'active', suspension: null, ...unrouted } as const;
const getAvailability = (code: Parameters<typeof availabilityAt>[0], owner: typeof good | object) =>
  availabilityAt(code, { ...good, ...owner }, now);

test('a link works where its owner has set it active and nothing stops it', () => {
  expect(getAvailability(active, good)).toEqual({ state: 'live', since: null, reason: null });
  for (const status of ['paused', 'draft'] as const)
    expect(getAvailability({ ...active, status }, good)).toEqual({ state: 'off', since: null, reason: null });
});

test('a suspension comes before everything else, that of the account before that of the code', () => {
  const code = { status: 'paused', suspension: stop('code'), ...unrouted } as const;
  expect(getAvailability(code, { ...good, heldSince: since })).toEqual({
    state: 'suspended',
    ...stop('code'),
  });
  expect(getAvailability(code, { ...good, suspension: stop('account') })).toMatchObject({
    state: 'suspended',
    reason: 'account',
  });
});

test('a held link is held whatever its owner has set', () => {
  for (const status of ['active', 'paused', 'draft'] as const)
    expect(getAvailability({ ...active, status }, { ...good, heldSince: since })).toEqual({
      state: 'held',
      since,
      reason: null,
    });
});

test('a schedule and a limit count where the owner has set the code active', () => {
  const [earlier, later] = [new Date(now.getTime() - 1), new Date(now.getTime() + 1)];
  const stateOf = (more: Partial<typeof noRules>, usedUpAt: Date | null = null) =>
    getAvailability({ ...active, routing: { ...noRules, ...more }, usedUpAt }, good);
  expect(stateOf({ startsAt: later })).toEqual({ state: 'scheduled', since: null, reason: null });
  expect(stateOf({ startsAt: now }).state).toBe('live');
  expect(stateOf({ expiresAt: now })).toEqual({ state: 'ended', since: now, reason: null });
  expect(stateOf({ expiresAt: later }).state).toBe('live');
  expect(stateOf({ maxScans: 5 }, earlier)).toEqual({ state: 'used_up', since: earlier, reason: null });
  expect(stateOf({ startsAt: later, expiresAt: earlier }, earlier).state).toBe('scheduled');
  const paused = { ...active, status: 'paused', routing: { ...noRules, startsAt: later } } as const;
  expect(getAvailability(paused, good).state).toBe('off');
});
