import { expect, test } from 'vitest';
import { browserBars, cityBars, countryBars, deviceBars } from './breakdowns.ts';

const tops = {
  top_countries: [{ country: 'FR', scans: 3 }],
  top_cities: [
    { city: '', country: 'FR', scans: 2 },
    { city: 'Paris', country: 'FR', scans: 1 },
  ],
  devices: { ios: 1, android: 4, other: 0 },
  browsers: { safari: 5 },
};

test('devices come most used first, and unused ones not at all', () => {
  expect(deviceBars(tops).map(({ label }) => label)).toEqual(['Android', 'iPhone and iPad']);
});

test('places have their names, a city that is not known that of its country', () => {
  expect(countryBars(tops)[0]?.label).toBe('France');
  expect(cityBars(tops)[0]?.label).toBe('France');
});

test('a click filters by what stands there: a city by its country too, an unknown city not at all', () => {
  expect(countryBars(tops)[0]?.filter).toEqual({ country: 'FR' });
  expect(cityBars(tops).map(({ filter }) => filter)).toEqual([undefined, { country: 'FR', city: 'Paris' }]);
  expect(deviceBars(tops)[0]?.filter).toEqual({ device: 'android' });
  expect(browserBars(tops)[0]?.filter).toEqual({ browser: 'safari' });
});
