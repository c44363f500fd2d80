import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  failingCutoff,
  failingForMs,
  nextAttemptAt,
  parseRetryAfter,
  retryDelaysSeconds,
} from './retry-schedule.ts';

const now = new Date('2026-11-15T12:00:00Z');
const secondsTo = (at: Date | null) => (at!.getTime() - now.getTime()) / 1000;

test('eleven attempts: at once, then after 5 s, 30 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', () => {
  expect(retryDelaysSeconds).toEqual([5, 30, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  expect(nextAttemptAt(10, now, null)).not.toBeNull();
  expect(nextAttemptAt(11, now, null)).toBeNull();
});

test('each delay is within 20 % of the schedule, and spread over that range', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (failedAttempts, chance) => {
        const delay = secondsTo(nextAttemptAt(failedAttempts, now, null, () => chance));
        expect(delay).toBeGreaterThanOrEqual(retryDelaysSeconds[failedAttempts - 1]! * 0.8 - 0.001);
        expect(delay).toBeLessThanOrEqual(retryDelaysSeconds[failedAttempts - 1]! * 1.2 + 0.001);
      },
    ),
  );
  expect(secondsTo(nextAttemptAt(2, now, null, () => 0))).toBe(24);
  expect(secondsTo(nextAttemptAt(2, now, null, () => 1))).toBe(36);
});

test('Retry-After makes a wait longer, up to an hour, and never shorter', () => {
  expect(secondsTo(nextAttemptAt(1, now, 120))).toBe(120);
  expect(secondsTo(nextAttemptAt(1, now, 86_400))).toBe(3600);
  expect(secondsTo(nextAttemptAt(5, now, 1, () => 0.5))).toBe(7200);
});

test('Retry-After is a number of seconds or a date; anything else is ignored', () => {
  expect(parseRetryAfter('120', now)).toBe(120);
  expect(parseRetryAfter('Sun, 15 Nov 2026 12:01:00 GMT', now)).toBe(60);
  expect(parseRetryAfter('Sun, 15 Nov 2020 12:01:00 GMT', now)).toBe(0);
  for (const junk of [undefined, '', 'soon', '-5', '1e9']) expect(parseRetryAfter(junk, now)).toBeNull();
});

test('an endpoint is disabled after five days of failures', () => {
  expect(failingForMs).toBe(432_000_000);
  expect(failingCutoff(now).toISOString()).toBe('2026-11-10T12:00:00.000Z');
});
