import { expect, test } from 'vitest';
import { placeOf, work } from './places.ts';

test('a page inside another is marked alone in the navigation', () => {
  expect(placeOf('/codes', work)?.to).toBe('/codes');
  expect(placeOf('/codes/qr_1/analytics', work)?.to).toBe('/codes');
  expect(placeOf('/codes/import', work)?.to).toBe('/codes/import');
  expect(placeOf('/settings/plan', work)).toBeUndefined();
});
