import { expect, test } from 'vitest';
import { cityBars, countryBars, deviceBars } from './breakdowns.ts';

const tops = {
  top_countries: [{ country: 'FR', scans: 3 }],
  top_cities: [{ city: '', country: 'FR', scans: 2 }],
  devices: { ios: 1, android: 4, other: 0 },
  browsers: {},
};

test('devices come most used first, and unused ones not at all', () => {
  expect(deviceBars(tops).map(({ label }) => label)).toEqual(['Android', 'iPhone and iPad']);
});

test('places have their names, a city that is not known that of its country', () => {
  expect(countryBars(tops)[0]?.label).toBe('France');
  expect(cityBars(tops)[0]?.label).toBe('France');
});
