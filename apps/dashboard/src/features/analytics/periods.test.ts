import { describe, expect, test } from 'vitest';
import { daysIn, defaultInterval, intervalsFor, isDay, periodOf, presets } from './periods.ts';

describe('periods', () => {
  const now = new Date(2026, 10, 15, 23, 59);

  test('a preset ends today and has as many days as its name says', () => {
    expect(periodOf('today', now)).toEqual({ start: '2026-11-15', end: '2026-11-15' });
    expect(periodOf('7d', now)).toEqual({ start: '2026-11-09', end: '2026-11-15' });
    expect(daysIn(periodOf('30d', now))).toBe(30);
    expect(daysIn(periodOf('90d', now))).toBe(90);
    expect(daysIn(periodOf('12m', now))).toBe(365);
  });

  test('last month is the whole of it, in January too', () => {
    expect(periodOf('last-month', now)).toEqual({ start: '2026-10-01', end: '2026-10-31' });
    expect(periodOf('last-month', new Date(2027, 0, 31))).toEqual({ start: '2026-12-01', end: '2026-12-31' });
  });

  test('all time is from the birth of the code to today, and today alone while that is unknown', () => {
    expect(periodOf('all', now, '2024-02-29')).toEqual({ start: '2024-02-29', end: '2026-11-15' });
    expect(periodOf('all', now)).toEqual({ start: '2026-11-15', end: '2026-11-15' });
  });

  test('a day is one of the calendar', () => {
    expect(isDay('2026-02-28')).toBe(true);
    for (const bad of ['2026-02-30', '2026-13-01', '26-01-01', '', 7, undefined])
      expect(isDay(bad)).toBe(false);
  });

  test('the interval of a period is always one of those offered for it', () => {
    for (const preset of presets) {
      const period = periodOf(preset, now, '2020-01-01');
      expect(intervalsFor(period)).toContain(defaultInterval(period));
    }
    expect(defaultInterval({ start: '2020-01-01', end: '2026-01-01' })).toBe('month');
  });

  test('hours are offered only where they can be told apart', () => {
    expect(intervalsFor(periodOf('7d', now))).toContain('hour');
    expect(intervalsFor(periodOf('30d', now))).not.toContain('hour');
  });
});
