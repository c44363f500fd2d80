import { expect, test } from 'vitest';
import { guardedPlaceOf, permitted, placeOf, settings, work } from './places.ts';

test('a page inside another is marked alone in the navigation', () => {
  expect(placeOf('/codes', work)?.to).toBe('/codes');
  expect(placeOf('/codes/qr_1/analytics', work)?.to).toBe('/codes');
  expect(placeOf('/codes/import', work)?.to).toBe('/codes/import');
  expect(placeOf('/settings/plan', work)).toBeUndefined();
});

test('a page that a role may not see is neither in the navigation nor shown by its address', () => {
  const labels = (permissions: Parameters<typeof permitted>[1]) =>
    permitted([...work, ...settings(false)], permissions).map(({ to }) => to);
  expect(labels(['qrcodes:read'])).not.toContain('/codes/import');
  expect(labels(['qrcodes:read'])).not.toContain('/settings/people');
  expect(labels(['qrcodes:write', 'account:manage'])).toEqual(
    expect.arrayContaining(['/codes/import', '/settings/people']),
  );
  expect(guardedPlaceOf('/codes/new')?.needs).toBe('qrcodes:write');
  expect(guardedPlaceOf('/settings/webhooks/whk_1')?.needs).toBe('webhooks:read');
  expect(guardedPlaceOf('/codes/qr_1/analytics')).toBeUndefined();
});
