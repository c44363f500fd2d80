import { expect, test } from 'vitest';
import { parseAnalyticsSearch, parseCodeAnalyticsSearch, viewOf } from './search.ts';

const now = new Date(2026, 10, 15);

test('without anything the last 30 days are shown by day', () => {
  expect(viewOf(parseAnalyticsSearch({}), { now })).toEqual({
    period: { start: '2026-10-17', end: '2026-11-15' },
    preset: '30d',
    interval: 'day',
    filters: {},
  });
});

test('two days of the address win over a preset; backwards they are passed over', () => {
  const search = { start: '2026-01-01', end: '2026-03-31', preset: '7d', interval: 'week' };
  expect(viewOf(parseAnalyticsSearch(search), { now })).toEqual({
    period: { start: '2026-01-01', end: '2026-03-31' },
    preset: null,
    interval: 'week',
    filters: {},
  });
  expect(viewOf(parseAnalyticsSearch({ ...search, end: '2025-01-01' }), { now }).preset).toBe('7d');
});

test('an interval that does not suit the period gives way', () => {
  expect(viewOf({ preset: '12m', interval: 'hour' }, { now }).interval).toBe('week');
  expect(viewOf({ preset: 'today', interval: 'month' }, { now }).interval).toBe('hour');
});

test('all time begins with the code', () => {
  expect(viewOf({ preset: 'all' }, { now, birth: '2026-11-03' }).period).toEqual({
    start: '2026-11-03',
    end: '2026-11-15',
  });
});

test('filters are kept in the address; what is no value of them is passed over', () => {
  const search = { country: 'DE', city: 'Hamburg', device: 'ios', browser: 'safari' };
  expect(parseAnalyticsSearch(search)).toEqual(search);
  expect(parseAnalyticsSearch({ country: 'Germany', city: '', device: 'toaster', browser: 7 })).toEqual({});
});

test('placements and destinations belong to one code, and no placement is a filter too', () => {
  const target = 'tgt_01kh4v3m2w8x9y7z6q5p4n3m2k';
  expect(parseCodeAnalyticsSearch({ placement: 12, target_id: target })).toEqual({
    placement: '12',
    target_id: target,
  });
  expect(parseCodeAnalyticsSearch({ placement: '', target_id: 'default' })).toEqual({
    placement: '',
    target_id: 'default',
  });
  expect(parseCodeAnalyticsSearch({ placement: 'Till!', target_id: 'somewhere' })).toEqual({});
  expect(parseAnalyticsSearch({ placement: 'till', target_id: 'default' })).toEqual({});
});
