import { expect, test } from 'vitest';
import { outcomeOf, stateOf, waitOf } from './webhook-state.ts';

const well = { enabled: true, disabled_reason: null, failing_since: null } as const;

test('an endpoint that was turned off by itself says why and what to do', () => {
  expect(stateOf(well)).toEqual({ label: 'On', color: 'signpost' });
  expect(stateOf({ ...well, failing_since: '2026-11-15T00:00:00Z' }).label).toBe('Failing');
  expect(stateOf({ ...well, enabled: false, disabled_reason: 'gone' }).advice).toContain('410');
  expect(stateOf({ ...well, enabled: false, disabled_reason: 'by_owner' }).label).toBe('Off');
});

test('a delivery that a limit holds back says which, and when that ends', () => {
  expect(waitOf({ waiting_for: null })).toBeNull();
  expect(waitOf({ waiting_for: 'host_rate' })).toContain('as soon as there is room');
  expect(waitOf({ waiting_for: 'first_success' })).toContain('One success lifts the limit');
});

test('the outcome of an attempt is told in words', () => {
  expect(outcomeOf({ error: null, response_status: 204 })).toBe('204 No Content');
  expect(outcomeOf({ error: 'status', response_status: 500 })).toBe('500 Internal Server Error');
  expect(outcomeOf({ error: 'status', response_status: 599 })).toBe('599');
  expect(outcomeOf({ error: 'timeout', response_status: 200 })).toBe('200 OK: Timed out after 15 seconds');
  expect(outcomeOf({ error: 'dns', response_status: null })).toBe('Host not found');
  expect(outcomeOf({ error: null, response_status: null })).toBe('Not sent yet');
});
