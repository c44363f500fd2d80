import { BlockList, isIP } from 'node:net';

/** The client's address: that of the socket, or behind a trusted proxy the one that the proxy saw. */
export type ClientAddress = (socketAddress: string, forwardedFor: Header) => string;

/** As node:http has it: several headers of one name may be a list. */
type Header = string | readonly string[] | undefined;

/**
 * Only a proxy that the operator has named is trusted. From the right of X-Forwarded-For, the first entry that is not such a
 * proxy is the client: any client can forge the entries further left.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = addressRanges(trustedProxies);
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  return (socketAddress, forwardedFor) => {
    const socket = plainAddress(socketAddress);
    if (!forwardedFor || !isTrusted(socket)) return socket;
    let client = socket;
    for (const entry of String(forwardedFor).split(',').reverse()) {
      const address = plainAddress(entry.trim());
      if (!isIP(address)) return client;
      client = address;
      if (!isTrusted(address)) return client;
    }
    return client;
  };
}

/** The part of an address that one household shares: all of an IPv4, the first 64 bits of an IPv6. */
export function addressBlock(address: string): string {
  if (isIP(address) !== 6) return address;
  // An IPv4 at the end replaces two groups, which are never among the first four.
  const plain = address.split('%')[0]!.replace(/\d+\.[\d.]+$/, '0:0');
  const [left = [], right = []] = plain.split('::').map(part => part.split(':').filter(Boolean));
  const missing = 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(missing).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** CIDRs or single addresses, as a list that `node:net` checks. */
export function addressRanges(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(range) ?? [];
    const version = isIP(address);
    const width = version === 6 ? 128 : 32;
    const length = Number(bits ?? width);
    if (version === 0 || length > width) throw new Error(`not an address range: ${range}`);
    list.addSubnet(address, length, version === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** An IPv4-mapped IPv6 address as IPv4, in each of its notations. */
function plainAddress(address: string): string {
  const [, rest = ''] = /^::ffff:(.+)$/i.exec(address) ?? [];
  if (isIP(rest) === 4) return rest;
  const [, high, low] = /^([\da-f]{1,4}):([\da-f]{1,4})$/i.exec(rest) ?? [];
  if (high === undefined || low === undefined) return address;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
}
