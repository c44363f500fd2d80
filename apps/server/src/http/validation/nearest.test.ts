import { describe, expect, test } from 'vitest';
import { nearest } from './nearest.ts';

const period = ['start_date', 'end_date', 'timezone', 'page', 'limit'];

describe('the nearest known name', () => {
  test.each([
    ['from', 'start_date'],
    ['since', 'start_date'],
    ['to', 'end_date'],
    ['until', 'end_date'],
    ['per_page', 'limit'],
    ['pageSize', 'limit'],
    ['tz', 'timezone'],
    ['startDate', 'start_date'],
    ['START-DATE', 'start_date'],
    ['strat_date', 'start_date'],
    ['lmit', 'limit'],
    ['lmiit', 'limit'],
    ['pages', 'page'],
    ['time_zone', 'timezone'],
  ])('of %s is %s', (name, known) => {
    expect(nearest(name, period)).toBe(known);
  });

  test.each(['', 'colour', 'utm_source', '__proto__', 'constructor', 'toString', 'x'.repeat(100_000)])(
    'is not guessed for %.20s',
    name => {
      expect(nearest(name, period)).toBeUndefined();
    },
  );

  test('is only one that is known: a synonym of something else says nothing', () => {
    expect(nearest('from', ['page', 'limit'])).toBeUndefined();
    expect(nearest('from', [])).toBeUndefined();
    expect(nearest('enabled', ['active'])).toBe('active');
    expect(nearest('enabled', ['status'])).toBe('status');
  });
});
