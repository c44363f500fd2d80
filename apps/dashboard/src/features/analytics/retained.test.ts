import { expect, test } from 'vitest';
import { ApiError } from '../../api/api-error.ts';
import { inMonths, isNotRetained, retainedPart } from './retained.ts';
import { viewOf } from './search.ts';

test('a period that reaches back to removed scans is shown in whole months', () => {
  const view = viewOf({ start: '2025-03-15', end: '2026-02-10' });
  expect(inMonths(view)).toMatchObject({
    period: { start: '2025-03-01', end: '2026-02-28' },
    interval: 'month',
    preset: null,
  });
  expect(inMonths(viewOf({ start: '2025-12-01', end: '2025-12-31' })).period).toEqual({
    start: '2025-12-01',
    end: '2025-12-31',
  });
});

test('what needs scans is asked for the part that has some', () => {
  const period = { start: '2025-03-01', end: '2026-02-28' };
  expect(retainedPart(period, undefined)).toEqual(period);
  expect(retainedPart(period, '2025-12-01T00:00:00Z')).toEqual({
    start: '2025-12-01T00:00:00Z',
    end: '2026-02-28',
  });
  expect(retainedPart(period, '2026-03-01T00:00:00Z')).toBeNull();
});

test('only this refusal leads to months', () => {
  expect(isNotRetained(new ApiError(400, 'period_not_retained', 'Removed.'))).toBe(true);
  expect(isNotRetained(new ApiError(400, 'invalid_request', 'Wrong.'))).toBe(false);
});
