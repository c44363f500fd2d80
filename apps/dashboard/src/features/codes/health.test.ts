import { expect, test } from 'vitest';
import { healthOf } from './health.ts';

const now = new Date('2026-11-16T12:00:00Z');
const week = (scans: number) => Array.from({ length: 7 }, () => scans);
const old = { status: 'active', created_at: '2026-01-05T00:00:00Z', total_scans: 500 } as const;
const wordOf = (facts: Parameters<typeof healthOf>[0]) => healthOf(facts, now)?.word;

test('a code is new for a week, whatever its scans', () => {
  const born = { ...old, created_at: '2026-11-10T00:00:00Z', sparkline: [...week(0), ...week(0)] };
  expect(wordOf(born)).toBe('new');
  expect(wordOf({ ...born, total_scans: 0 })).toBe('new');
});

test('later it is unscanned, dormant or declining, and says why', () => {
  expect(healthOf({ ...old, total_scans: 0, sparkline: null }, now)).toEqual({
    word: 'unscanned',
    reason: expect.stringContaining('2026'),
  });
  expect(wordOf({ ...old, sparkline: [...week(0), ...week(0)] })).toBe('dormant');
  expect(healthOf({ ...old, sparkline: [...week(4), ...week(1)] }, now)).toEqual({
    word: 'declining',
    reason: '7 scans in the last 7 days, 28 in the 7 days before.',
  });
});

test('steady, growing or rarely scanned codes have no word, nor have codes that are off', () => {
  expect(wordOf({ ...old, sparkline: [...week(4), ...week(3)] })).toBeUndefined();
  expect(wordOf({ ...old, sparkline: [...week(1), ...week(9)] })).toBeUndefined();
  expect(wordOf({ ...old, sparkline: [...week(0), 3, 0, 0, 0, 0, 0, 0] })).toBeUndefined();
  expect(wordOf({ ...old, sparkline: null })).toBeUndefined();
  expect(wordOf({ ...old, status: 'paused', sparkline: [...week(0), ...week(0)] })).toBeUndefined();
});
