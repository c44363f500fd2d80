import { expect, test } from 'vitest';
import { changeOf, isComparable, periodBefore } from './comparison.ts';
import { periodOf } from './periods.ts';

const now = new Date(2026, 10, 15, 14, 37);

test('a period that still runs is compared with as much of the one before, to the same time of day', () => {
  const before = periodBefore(periodOf('7d', now), '7d', now)!;
  expect(before.start).toBe('2026-11-02');
  expect(new Date(before.end)).toEqual(new Date(2026, 10, 8, 14, 30));
  const yesterday = periodBefore(periodOf('today', now), 'today', now)!;
  expect(yesterday.start).toBe('2026-11-14');
  expect(new Date(yesterday.end)).toEqual(new Date(2026, 10, 14, 14, 30));
});

test('a period that is over is compared with the same number of days before it', () => {
  expect(periodBefore({ start: '2026-10-11', end: '2026-10-20' }, null, now)).toEqual({
    start: '2026-10-01',
    end: '2026-10-10',
  });
});

test('last month is compared with the month before, however long; all time with nothing', () => {
  expect(periodBefore(periodOf('last-month', now), 'last-month', now)).toEqual({
    start: '2026-09-01',
    end: '2026-09-30',
  });
  expect(periodBefore(periodOf('all', now, '2026-01-01'), 'all', now)).toBeNull();
});

test('a code that is younger than the period before is not compared', () => {
  const before = { start: '2026-10-01', end: '2026-10-10' };
  expect(isComparable(before, new Date(2026, 8, 30).getTime())).toBe(true);
  expect(isComparable(before, new Date(2026, 9, 5).getTime())).toBe(false);
  expect(isComparable(before, null)).toBe(false);
  expect(isComparable(null, null)).toBe(false);
});

test('a change has a direction and a share; from nothing there is no share', () => {
  expect(changeOf(150, 100)).toEqual({ direction: 'up', share: 0.5 });
  expect(changeOf(75, 100)).toEqual({ direction: 'down', share: 0.25 });
  expect(changeOf(4, 4)).toEqual({ direction: 'same', share: 0 });
  expect(changeOf(4, 0)).toEqual({ direction: 'up', share: null });
});
