import { expect, test } from 'vitest';
import { countriesInView, mapSize, projectionFor, shapes } from './map-shapes.ts';

const centreOf = (letters: string) => shapes.find(({ country }) => country === letters)!.centre;
const isInside = ([x, y]: readonly [number, number]) =>
  x >= 0 && y >= 0 && x <= mapSize.width && y <= mapSize.height;

test('the map zooms to where the scans are', () => {
  const near = projectionFor(['DE', 'DK']);
  expect(near.scale()).toBeGreaterThan(projectionFor([]).scale() * 3);
  for (const country of ['DE', 'DK']) expect(isInside(near([...centreOf(country)])!)).toBe(true);
  expect(isInside(near([...centreOf('AU')])!)).toBe(false);
});

test('one small country does not fill it, and stands in its middle', () => {
  const [x, y] = projectionFor(['LU'])([...centreOf('LU')])!;
  expect([x / mapSize.width, y / mapSize.height].map(part => part.toFixed(1))).toEqual(['0.5', '0.5']);
  expect(projectionFor(['LU']).scale()).toBeCloseTo(projectionFor([]).scale() * 6, 5);
});

test('France is looked for in Europe', () => {
  const [longitude, latitude] = centreOf('FR');
  expect([Math.round(longitude / 5), Math.round(latitude / 5)]).toEqual([0, 9]);
});

test('a single scan from far away does not zoom the map out, nor does one from nowhere', () => {
  const scans = [
    { country: 'DE', scans: 990 },
    { country: 'XX', scans: 50 },
    { country: 'AU', scans: 1 },
  ];
  expect(countriesInView(scans)).toEqual(['DE']);
  expect(countriesInView([{ country: 'XX', scans: 3 }])).toEqual([]);
});
