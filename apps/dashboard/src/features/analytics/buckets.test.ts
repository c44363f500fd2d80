import { expect, test } from 'vitest';
import { bucketsOf, dailyAverage } from './buckets.ts';

const entry = (date: string, total_scans = 0) => ({ date, total_scans, unique_visitors: total_scans });
const days = ['2026-11-12', '2026-11-13', '2026-11-14', '2026-11-15', '2026-11-16'];
const period = { start: '2026-11-12', end: '2026-11-16' };
const nowMs = new Date(2026, 10, 15, 14).getTime();
const common = { before: null, interval: 'day', period, nowMs, bornMs: null } as const;

test('nothing is drawn for the future, and the day that runs is marked', () => {
  const buckets = bucketsOf({ ...common, series: days.map(day => entry(day)) });
  expect(buckets.map(({ date, state }) => [date, state])).toEqual([
    ['2026-11-12', 'whole'],
    ['2026-11-13', 'whole'],
    ['2026-11-14', 'whole'],
    ['2026-11-15', 'running'],
  ]);
});

test('the chart begins with the day of the code’s creation', () => {
  const bornMs = new Date(2026, 10, 13, 23, 59).getTime();
  const series = days.map(day => entry(day));
  expect(bucketsOf({ ...common, series, bornMs })[0]!.date).toBe('2026-11-13');
  // A clock that was wrong at the creation hides no scan.
  const counted = days.map(day => entry(day, day === '2026-11-12' ? 1 : 0));
  expect(bucketsOf({ ...common, series: counted, bornMs })[0]!.date).toBe('2026-11-12');
});

test('each bar stands beside that of the period before, also where the chart begins later', () => {
  const before = [10, 20, 30].map((scans, at) => entry(`2026-11-0${at + 7}`, scans));
  const bornMs = new Date(2026, 10, 13).getTime();
  const buckets = bucketsOf({ ...common, series: days.map(day => entry(day)), before, bornMs });
  expect(buckets.map(bucket => bucket.before)).toEqual([20, 30, null]);
});

test('a week of which the period has only a part is marked', () => {
  const weeks = bucketsOf({
    ...common,
    series: [entry('2026-10-26'), entry('2026-11-02'), entry('2026-11-09')],
    interval: 'week',
    period: { start: '2026-10-28', end: '2026-11-15' },
  });
  expect(weeks.map(({ state }) => state)).toEqual(['cut', 'whole', 'running']);
});

test('an hour of UTC is drawn where it lies', () => {
  const hours = bucketsOf({
    ...common,
    series: [entry('2026-11-15T08:00:00Z', 2)],
    interval: 'hour',
    nowMs: Date.parse('2026-11-15T08:30:00Z'),
  });
  expect(hours[0]).toMatchObject({ startMs: Date.parse('2026-11-15T08:00:00Z'), state: 'running' });
});

test('the daily average divides by the days on which the code existed', () => {
  const month = { start: '2026-10-17', end: '2026-11-15' };
  expect(dailyAverage(30, month, '2026-11-15', null)).toBe(1);
  expect(dailyAverage(30, month, '2026-11-15', '2026-11-13')).toBe(10);
  expect(dailyAverage(30, month, '2026-11-15', '2026-11-15')).toBe(30);
  // Days to come are no days yet.
  expect(dailyAverage(30, { start: '2026-11-14', end: '2026-11-30' }, '2026-11-15', null)).toBe(15);
});
