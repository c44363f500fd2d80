import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressBlock, addressRanges, createClientAddress } from './client-address.ts';

describe('client address', () => {
  test('without trusted proxies the socket alone counts, whatever a header says', () => {
    const clientAddress = createClientAddress([]);
    fc.assert(
      fc.property(fc.ipV4(), fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string())), (socket, entries) => {
        expect(clientAddress(socket, entries.join(', '))).toBe(socket);
      }),
      { numRuns: 200 },
    );
  });

  test('behind a trusted proxy the rightmost entry that is no trusted proxy is the client', () => {
    const clientAddress = createClientAddress(['10.0.0.0/8', '2001:db8::/32']);
    expect(clientAddress('10.0.0.1', '1.1.1.1, 2.2.2.2')).toBe('2.2.2.2');
    expect(clientAddress('10.0.0.1', '1.1.1.1, 2.2.2.2, 10.9.9.9')).toBe('2.2.2.2');
    expect(clientAddress('2001:db8::1', '1.1.1.1')).toBe('1.1.1.1');
    expect(clientAddress('::ffff:10.0.0.1', '1.1.1.1')).toBe('1.1.1.1');
    expect(clientAddress('10.0.0.1', undefined)).toBe('10.0.0.1');
    expect(clientAddress('8.8.8.8', '1.1.1.1')).toBe('8.8.8.8');
  });

  test('an IPv4 inside an IPv6 address is that IPv4, however it is spelt', () => {
    const clientAddress = createClientAddress(['10.0.0.0/8']);
    for (const spelling of ['::ffff:1.2.3.4', '::FFFF:1.2.3.4', '::ffff:102:304', '::FFFF:0102:0304']) {
      expect(clientAddress('10.0.0.1', spelling)).toBe('1.2.3.4');
      expect(clientAddress(spelling, undefined)).toBe('1.2.3.4');
    }
    expect(clientAddress('2001:db8::ffff:102:304', undefined)).toBe('2001:db8::ffff:102:304');
  });

  test('an entry that is no address ends the search', () => {
    const clientAddress = createClientAddress(['10.0.0.0/8']);
    expect(clientAddress('10.0.0.1', '1.1.1.1, unknown')).toBe('10.0.0.1');
    expect(clientAddress('10.0.0.1', '1.1.1.1, unknown, 10.0.0.7')).toBe('10.0.0.7');
  });

  test('addresses of one IPv6 /64 are one caller, in every spelling', () => {
    expect(addressBlock('2001:db8:0:1::5')).toBe('2001:db8:0:1::/64');
    expect(addressBlock('2001:0db8:0000:0001:ffff:ffff:ffff:ffff')).toBe('2001:db8:0:1::/64');
    expect(addressBlock('2001:DB8:0:1:a::')).toBe('2001:db8:0:1::/64');
    expect(addressBlock('::1')).toBe('0:0:0:0::/64');
    expect(addressBlock('192.0.2.7')).toBe('192.0.2.7');
  });

  test('a range that is none is refused by name', () => {
    for (const range of ['nonsense', '10.0.0.0/33', '10.0.0.0/x', '::/129']) {
      expect(() => addressRanges([range])).toThrow(range);
    }
  });
});
