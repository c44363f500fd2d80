import { expect, test } from 'vitest';
import { addressOf } from './addresses.ts';
import { refusalOf } from './send-with-test-key.ts';

const document = { paths: { '/v1/qrcodes': { post: { operationId: 'createQrCode', tags: ['QR codes'] } } } };

test.each([
  ['error-not_found', '#description/not-found'],
  ['createQrCode', '#tag/qr-codes/createQrCode'],
  ['rate-limits', '#description/rate-limits'],
  ['modes', '#description/test-mode'],
  ['description/sdk', null],
  ['tag/qr-codes', null],
  ['', null],
])('the address %s is shown at %s', (address, shown) => {
  expect(addressOf(document, address)).toBe(shown);
});

const own = 'https://qr.example';

test.each([`Bearer sk_test_abc`, 'bearer sk_test_abc', 'Bearer ', null])('%s is sent', authorization => {
  expect(refusalOf(own, authorization, own)).toBeNull();
});

test.each(['Bearer sk_live_abc', 'Bearer  sk_live_abc', 'bearer sk_live_abc'])('%s is not sent', key => {
  expect(refusalOf(own, key, own)).toMatch(/^Not sent: .*test keys only, because .*printed/);
});

test('nothing but a test key is sent, and nothing is sent to another server', () => {
  expect(refusalOf(own, 'Bearer abc', own)).toMatch(/^Not sent/);
  expect(refusalOf(own, 'Basic c2tfbGl2ZQ==', own)).toMatch(/^Not sent/);
  expect(refusalOf('https://other.example', 'Bearer sk_test_abc', own)).toMatch(/^Not sent/);
});
