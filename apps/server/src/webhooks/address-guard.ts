import { isIP } from 'node:net';
import { addressRanges } from '../kernel/addresses/client-address.ts';

/** Decides which addresses may be dialled for a URL that an account has entered. */
export type AddressGuard = { allows(address: string): boolean };

/**
 * IPv4 addresses outside the public internet: IANA's registry of special-purpose addresses, multicast and reserved space,
 * and metadata services of clouds that have a public address.
 */
const forbidden4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Azure's metadata and DNS.
  '168.63.129.16/32',
];

/** For IPv6 it is the reverse: only global unicast is allowed, without its special-purpose and transition ranges. */
const global6 = ['2000::/3'];
const forbidden6 = [
  // Protocol assignments: Teredo, benchmarking, AMT, ORCHID and the rest.
  '2001::/23',
  '2001:db8::/32',
  // 6to4: an IPv4 address inside, which may be a private one.
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
];

/** `allowed` are the ranges of WEBHOOK_ALLOW_CIDRS, which the operator has opened. */
export function createAddressGuard(allowed: readonly string[]): AddressGuard {
  const [blocked4, blocked6, global] = [
    addressRanges(forbidden4),
    addressRanges(forbidden6),
    addressRanges(global6),
  ];
  const opened = addressRanges(allowed);
  return {
    allows(address) {
      const version = isIP(address);
      if (version === 0) return false;
      // An IPv4 address in IPv6 form (::ffff:10.0.0.1) is not global unicast, so it never passes.
      if (opened.check(address, version === 6 ? 'ipv6' : 'ipv4')) return true;
      if (version === 4) return !blocked4.check(address, 'ipv4');
      return global.check(address, 'ipv6') && !blocked6.check(address, 'ipv6');
    },
  };
}
