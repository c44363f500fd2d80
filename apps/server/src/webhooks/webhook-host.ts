import { isIPv6 } from 'node:net';

/**
 * The host of a URL in its canonical spelling: without the port, in lower case, names in punycode and without a trailing
 * dot, IPv4 inside IPv6 as IPv4.
 */
export function parseHost(url: string): string {
  const { hostname } = new URL(url);
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIPv6(literal) ? withoutMapping(literal) : hostname.replace(/\.$/, '');
}

/** `URL` writes every IPv6 address in its shortest form, so a mapped address has two groups of hex after the prefix. */
function withoutMapping(address: string): string {
  const groups = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address);
  if (!groups) return address;
  const [high, low] = [Number.parseInt(groups[1]!, 16), Number.parseInt(groups[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
