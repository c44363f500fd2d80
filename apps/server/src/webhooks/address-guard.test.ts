import { publicAddresses, special4, special6 } from '@signpost/testing/addresses.ts';
import { expect, test } from 'vitest';
import { createAddressGuard } from './address-guard.ts';

const guard = createAddressGuard([]);

test('the table has at least 120 addresses', () => {
  expect(new Set([...special4, ...special6]).size).toBeGreaterThanOrEqual(120);
});

test.each([...special4, ...special6])('%s may not be dialled', address => {
  expect(guard.allows(address)).toBe(false);
});

test.each(publicAddresses)('%s may be dialled', address => {
  expect(guard.allows(address)).toBe(true);
});

test.each(['', 'example.com', '127.1', '1.2.3', '::g', '1.1.1.1/8', '2130706433'])(
  '%j is not an address',
  text => {
    expect(guard.allows(text)).toBe(false);
  },
);

test('a zone after an address changes nothing', () => {
  for (const zone of ['eth0', '1', 'a::b', '%', '2606:4700:4700::1111'])
    expect(guard.allows(`fe80::1%${zone}`), zone).toBe(false);
  for (const address of ['127.0.0.1%eth0', '8.8.8.8%eth0', '::1%2606:4700:4700::1111'])
    expect(guard.allows(address), address).toBe(false);
  expect(guard.allows('2606:4700:4700::1111%eth0')).toBe(true);
});

test('only ranges that the operator has opened are open, in IPv6 form too', () => {
  const opened = createAddressGuard(['127.0.0.1', '10.1.0.0/16', 'fd00::/8']);
  for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '10.1.2.3', 'fd00:1::1']) {
    expect(opened.allows(address), address).toBe(true);
  }
  for (const address of ['127.0.0.2', '10.2.0.1', 'fe80::1', '169.254.169.254', '::ffff:10.2.0.1']) {
    expect(opened.allows(address), address).toBe(false);
  }
});
