import { expect, test } from 'vitest';
import { filterName, withoutFilter } from './filters.ts';

test('a city goes with its country, and alone', () => {
  const filters = { country: 'FR', city: 'Paris', device: 'ios' } as const;
  expect(withoutFilter(filters, 'country')).toEqual({ device: 'ios' });
  expect(withoutFilter(filters, 'city')).toEqual({ country: 'FR', device: 'ios' });
});

test('filters have names for people', () => {
  expect(filterName('country', 'FR')).toBe('France');
  expect(filterName('city', 'Paris')).toBe('Paris');
  expect(filterName('browser', 'samsung_browser')).toBe('Samsung Internet');
});
