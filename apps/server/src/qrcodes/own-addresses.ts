import { isIP } from 'node:net';
import { hostOf } from '../kernel/hosts.ts';

/** The places by which a scan would come back to this service, and go round in a circle. */
export type OwnAddresses = {
  includes(url: URL): boolean;
  /** The names among them, for whoever looks them up. */
  readonly names: readonly string[];
  /** Where a name leads, until the next time. */
  learn(name: string, addresses: readonly string[]): void;
};

type Parts = {
  /** Where we are reached: by default ports, by both of them, since one usually sends people on to the other. */
  readonly urls: readonly string[];
  /** Where we listen. They lead here on every host of ours, whatever stands before them. */
  readonly ports: readonly number[];
};

/** Other ports of our hosts are somebody else's: a shop may have its site on the same machine. */
export function createOwnAddresses({ urls, ports }: Parts): OwnAddresses {
  const portsOf = new Map<string, Set<number>>();
  for (const url of urls.map(text => new URL(text))) {
    const host = placeOf(url);
    portsOf.set(host, new Set([...(portsOf.get(host) ?? ports), ...portsMeantBy(url)]));
  }
  const addressesOf = new Map<string, ReadonlySet<string>>();

  return {
    names: [...portsOf.keys()].filter(host => host !== loopback && isIP(literalOf(host)) === 0),

    learn(name, addresses) {
      addressesOf.set(name, new Set(addresses.map(address => placeOf(urlOfAddress(address)))));
    },

    includes(url) {
      const place = placeOf(url);
      const port = portOf(url);
      return [...portsOf].some(
        ([host, own]) => own.has(port) && (host === place || addressesOf.get(host)?.has(place) === true),
      );
    },
  };
}

const [httpPort, httpsPort] = [80, 443];

const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? httpsPort : httpPort) : Number(port);

const portsMeantBy = (url: URL): readonly number[] =>
  url.port === '' ? [httpPort, httpsPort] : [Number(url.port)];

/** One word for everything that means this machine. */
const loopback = 'localhost';

/** A host in the one spelling that all its spellings have: the parser's, without what means the same besides. */
function placeOf(url: URL): string {
  const host = withoutMapping(hostOf(url));
  const isLoopback =
    /(^|\.)localhost$/.test(host) ||
    /^127(\.\d+){3}$/.test(host) ||
    ['0.0.0.0', '[::1]', '[::]'].includes(host);
  return isLoopback ? loopback : host;
}

/** An IPv4 address that is written as one of IPv6, ::ffff:127.0.0.1, is that IPv4 address. */
function withoutMapping(host: string): string {
  const [, high, low] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host) ?? [];
  if (high === undefined || low === undefined) return host;
  const bytes = Buffer.alloc(4);
  bytes.writeUInt16BE(Number.parseInt(high, 16), 0);
  bytes.writeUInt16BE(Number.parseInt(low, 16), 2);
  return bytes.join('.');
}

const literalOf = (host: string) => host.replace(/^\[(.*)\]$/, '$1');

const urlOfAddress = (address: string) => new URL(`http://${isIP(address) === 6 ? `[${address}]` : address}`);
