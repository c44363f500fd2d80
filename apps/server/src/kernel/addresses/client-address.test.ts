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
    expect(clientAddress('10.0.0.1', '')).toBe('10.0.0.1');
    expect(clientAddress('10.0.0.1', '10.0.0.2, 10.0.0.3')).toBe('10.0.0.2');
    expect(clientAddress('10.0.0.1', '2001:db8::2')).toBe('2001:db8::2');
    expect(clientAddress('10.0.0.1', '1.1.1.1,2606:4700::1 , 2001:db8::2')).toBe('2606:4700::1');
    expect(clientAddress('8.8.8.8', '1.1.1.1')).toBe('8.8.8.8');
  });

  test('several headers of one name are read as one', () => {
    const clientAddress = createClientAddress(['10.0.0.0/8']);
    expect(clientAddress('10.0.0.1', ['1.1.1.1', '2.2.2.2, 10.0.0.9'])).toBe('2.2.2.2');
  });

  test('a socket without an address has none, whatever a header says', () => {
    expect(createClientAddress(['10.0.0.0/8'])('', '1.1.1.1')).toBe('');
  });

  test('an IPv4-mapped IPv6 address is that IPv4, in every notation', () => {
    const clientAddress = createClientAddress(['10.0.0.0/8']);
    for (const spelling of ['::ffff:1.2.3.4', '::FFFF:1.2.3.4', '::ffff:102:304', '::FFFF:0102:0304']) {
      expect(clientAddress('10.0.0.1', spelling)).toBe('1.2.3.4');
      expect(clientAddress(spelling, undefined)).toBe('1.2.3.4');
    }
    for (const another of [
      '2001:db8::ffff:102:304',
      '1::ffff:1.2.3.4',
      '::ffff:102',
      '::ffff:1:102:304',
      '::ffff:102:304:5',
      '::fffe:102:304',
    ])
      expect(clientAddress(another, undefined)).toBe(another);
    expect(clientAddress('::ffff:ff01:a0', undefined)).toBe('255.1.0.160');
  });

  test('an entry that is no address ends the search', () => {
    const clientAddress = createClientAddress(['10.0.0.0/8']);
    expect(clientAddress('10.0.0.1', '1.1.1.1, unknown')).toBe('10.0.0.1');
    expect(clientAddress('10.0.0.1', '1.1.1.1, unknown, 10.0.0.7')).toBe('10.0.0.7');
  });

  test('addresses of one IPv6 /64 are one caller, in every notation', () => {
    expect(addressBlock('2001:db8:0:1::5')).toBe('2001:db8:0:1::/64');
    expect(addressBlock('2001:0db8:0000:0001:ffff:ffff:ffff:ffff')).toBe('2001:db8:0:1::/64');
    expect(addressBlock('2001:DB8:0:1:a::')).toBe('2001:db8:0:1::/64');
    expect(addressBlock('::1')).toBe('0:0:0:0::/64');
    expect(addressBlock('1::')).toBe('1:0:0:0::/64');
    expect(addressBlock('1:2:3::4:5')).toBe('1:2:3:0::/64');
    expect(addressBlock('::2:3:4:5:6:7:8')).toBe('0:2:3:4::/64');
    expect(addressBlock('::1:0:0:192.0.2.7')).toBe('0:0:0:1::/64');
    expect(addressBlock('fe80::1%a::b:c:d:e:f:1:2:3')).toBe('fe80:0:0:0::/64');
    expect(addressBlock('192.0.2.7')).toBe('192.0.2.7');
  });

  test('the block of an IPv6 address contains it, and is the same for all that it contains', () => {
    fc.assert(
      fc.property(fc.ipV6(), address => {
        const block = addressBlock(address);
        expect(addressRanges([block]).check(address, 'ipv6')).toBe(true);
        expect(addressBlock(block.replace('/64', '1'))).toBe(block);
      }),
      { numRuns: 1000 },
    );
  });

  test('a range contains the addresses with its prefix, a single address only itself', () => {
    const ranges = addressRanges(['10.1.0.0/16', '192.0.2.7', '192.0.2.9/32', '2001:db8::/32', 'fd00::1']);
    for (const address of ['10.1.0.0', '10.1.255.255', '192.0.2.7', '192.0.2.9'])
      expect(ranges.check(address, 'ipv4'), address).toBe(true);
    for (const address of ['10.0.255.255', '10.2.0.0', '192.0.2.6', '192.0.2.8'])
      expect(ranges.check(address, 'ipv4'), address).toBe(false);
    for (const address of ['2001:db8:ffff::', 'fd00::1'])
      expect(ranges.check(address, 'ipv6'), address).toBe(true);
    for (const address of ['2001:db9::', 'fd00::2'])
      expect(ranges.check(address, 'ipv6'), address).toBe(false);
    expect(addressRanges(['0.0.0.0/0']).check('8.8.8.8', 'ipv4')).toBe(true);
    expect(addressRanges(['::/0']).check('2606:4700::1', 'ipv6')).toBe(true);
  });

  test('an invalid range is refused with its text', () => {
    for (const range of [
      '',
      'nonsense',
      '10.0.0.0/33',
      '10.0.0.0/x',
      '10.0.0.0/',
      '10.0.0.0/8/9',
      'x/10.0.0.0/8',
      '10.0.0.0/8x',
      '::/129',
      '::/0128',
    ]) {
      expect(() => addressRanges([range])).toThrow(range);
    }
  });
});
