import { isIP } from 'node:net';
import { getHost } from '../../kernel/addresses/hosts.ts';

/** The addresses of this service: a code that leads there would redirect in a loop. */
export type OwnAddresses = {
  includes(url: URL): boolean;
  /** The host names among them, to be resolved. */
  readonly names: readonly string[];
  /** The addresses that a name resolves to, until the next call. */
  setAddresses(name: string, addresses: readonly string[]): void;
};

type Parts = {
  /** Public URLs. A default port stands for both, since one usually redirects to the other. */
  readonly urls: readonly string[];
  /** Ports on which the service listens. They lead here on each of its hosts, whatever proxy is in front. */
  readonly ports: readonly number[];
};

/** Other ports of these hosts are not the service's: a shop may have its site on the same machine. */
export function createOwnAddresses({ urls, ports }: Parts): OwnAddresses {
  const portsOf = new Map<string, Set<number>>();
  for (const url of urls.map(text => new URL(text))) {
    const host = canonicalHost(url);
    portsOf.set(host, new Set([...(portsOf.get(host) ?? ports), ...portsOfUrl(url)]));
  }
  const addressesOf = new Map<string, ReadonlySet<string>>();

  return {
    names: [...portsOf.keys()].filter(host => host !== loopback && isIP(stripBrackets(host)) === 0),

    setAddresses(name, addresses) {
      addressesOf.set(name, new Set(addresses.map(address => canonicalHost(urlOfAddress(address)))));
    },

    includes(url) {
      const wanted = canonicalHost(url);
      const port = getPort(url);
      return [...portsOf].some(
        ([host, own]) => own.has(port) && (host === wanted || addressesOf.get(host)?.has(wanted) === true),
      );
    },
  };
}

const [httpPort, httpsPort] = [80, 443];

const getPort = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? httpsPort : httpPort) : Number(port);

const portsOfUrl = (url: URL): readonly number[] =>
  url.port === '' ? [httpPort, httpsPort] : [Number(url.port)];

/** Stands for every spelling of this machine. */
const loopback = 'localhost';

/** One spelling for all spellings of a host. */
function canonicalHost(url: URL): string {
  const host = withoutMapping(getHost(url));
  const isLoopback =
    /(^|\.)localhost$/.test(host) ||
    /^127(\.\d+){3}$/.test(host) ||
    ['0.0.0.0', '[::1]', '[::]'].includes(host);
  return isLoopback ? loopback : host;
}

/** An IPv4-mapped IPv6 address, ::ffff:127.0.0.1, is that IPv4 address. */
function withoutMapping(host: string): string {
  const [, high, low] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host) ?? [];
  if (high === undefined || low === undefined) return host;
  const bytes = Buffer.alloc(4);
  bytes.writeUInt16BE(Number.parseInt(high, 16), 0);
  bytes.writeUInt16BE(Number.parseInt(low, 16), 2);
  return bytes.join('.');
}

const stripBrackets = (host: string) => host.replace(/^\[(.*)\]$/, '$1');

const urlOfAddress = (address: string) => new URL(`http://${isIP(address) === 6 ? `[${address}]` : address}`);
