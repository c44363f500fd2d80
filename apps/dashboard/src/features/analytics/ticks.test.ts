import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketsOf } from './buckets.ts';
import { labelledAt, roundTicks } from './ticks.ts';

test('ticks are round', () => {
  expect(roundTicks(0)).toEqual([0, 1]);
  expect(roundTicks(1)).toEqual([0, 1]);
  expect(roundTicks(7)).toEqual([0, 2, 4, 6, 8]);
  expect(roundTicks(97)).toEqual([0, 50, 100]);
  expect(roundTicks(1_234)).toEqual([0, 500, 1_000, 1_500]);
});

test('whatever the most is: whole, even steps of 1, 2 or 5, few, and high enough', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2_000_000_000 }), most => {
      const ticks = roundTicks(most);
      const step = ticks[1]!;
      expect([1, 2, 5]).toContain(Number(String(step)[0]));
      expect(Number(String(step).slice(1) || 0)).toBe(0);
      expect(ticks.every((tick, at) => tick === at * step)).toBe(true);
      expect(ticks.length).toBeLessThanOrEqual(6);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most);
    }),
  );
});

test('labels stand at even distances, no more than fit', () => {
  const start = new Date(2026, 9, 1);
  const series = Array.from({ length: 31 }, (_, day) => ({
    date: `2026-10-${String(day + 1).padStart(2, '0')}`,
    total_scans: 0,
    unique_visitors: 0,
  }));
  const period = { start: '2026-10-01', end: '2026-10-31' };
  const parts = { series, before: null, interval: 'day', period, nowMs: Date.now(), bornMs: null } as const;
  const buckets = bucketsOf({ ...parts, nowMs: start.getTime() + 60 * 86_400_000 });
  expect(labelledAt(buckets, 'day', 16)).toEqual(Array.from({ length: 16 }, (_, at) => at * 2));
  expect(labelledAt(buckets, 'day', 5)).toEqual([0, 7, 14, 21, 28]);
  expect(labelledAt([], 'day', 5)).toEqual([]);
});
