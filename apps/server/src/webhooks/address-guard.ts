import { isIP } from 'node:net';
import { addressRanges } from '../kernel/client-address.ts';

/** Says which addresses may be dialled on behalf of a stranger. */
export type AddressGuard = { allows(address: string): boolean };

/**
 * IPv4 that is not the public internet: everything in IANA's registry of special-purpose addresses, multicast and
 * reserved space, and the metadata services of clouds that have a public address.
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

/** IPv6 is the other way round: only global unicast may be dialled, and of that not what is set apart or leads elsewhere. */
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

/** `allowed` are ranges that the operator has opened, WEBHOOK_ALLOW_CIDRS. */
export function createAddressGuard(allowed: readonly string[]): AddressGuard {
  const [no4, no6, yes6] = [addressRanges(forbidden4), addressRanges(forbidden6), addressRanges(global6)];
  const opened = addressRanges(allowed);
  return {
    allows(address) {
      const version = isIP(address);
      if (version === 0) return false;
      // An IPv4 address in its IPv6 form (::ffff:10.0.0.1) is no global unicast, so that none of those forms passes.
      if (opened.check(address, version === 6 ? 'ipv6' : 'ipv4')) return true;
      if (version === 4) return !no4.check(address, 'ipv4');
      return yes6.check(address, 'ipv6') && !no6.check(address, 'ipv6');
    },
  };
}
