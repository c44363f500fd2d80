import { expect, test } from 'vitest';
import { addressFault } from './public-address.ts';

test('an https address with a public host is good for print', () => {
  for (const url of [
    'https://go.example.com',
    'https://go.example.com:8443/t/x',
    'https://203.0.113.7',
    'https://[2001:db8::1]',
  ])
    expect([url, addressFault(url)]).toEqual([url, null]);
});

test('addresses that only work nearby are not', () => {
  const nearby = [
    'localhost',
    'LOCALHOST:8080',
    'signpost',
    'nas.local',
    'go.internal',
    'go.home.arpa',
    '127.0.0.1:8080',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.20',
    '169.254.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '[::1]',
    '[fd00::1]',
    '[fe80::1]',
    '[::ffff:192.168.0.1]',
  ];
  for (const host of nearby) expect([host, addressFault(`https://${host}`)]).toEqual([host, 'private']);
  for (const host of ['172.15.0.1', '172.32.0.1', '100.63.0.1', '192.169.0.1'])
    expect([host, addressFault(`https://${host}`)]).toEqual([host, null]);
});

test('a public host without https is said to be so', () => {
  expect(addressFault('http://go.example.com')).toBe('insecure');
  expect(addressFault('no address')).toBe('private');
});
