import { expect, test } from 'vitest';
import { pathOf } from './paths.ts';

test('operations of the API are called under /account, those of the account where they are', () => {
  expect(pathOf('listQrCodes')).toBe('/account/v1/qrcodes');
  expect(pathOf('getMe')).toBe('/account/me');
});

test('parameters are put into the path so that they stay one segment', () => {
  expect(pathOf('getQrCode', { id: 'qr_1/../2' })).toBe('/account/v1/qrcodes/qr_1%2F..%2F2');
});
