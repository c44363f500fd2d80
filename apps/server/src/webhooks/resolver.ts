import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { TimeoutError, withTimeout } from '../kernel/running/with-timeout.ts';
import type { AddressGuard } from './address-guard.ts';

/** Finds the addresses of a host and checks each of them by the guard. */
export type HostResolver = {
  /** The addresses that may be dialled. Throws HostRefused if one of them may not, or if there is none. */
  resolve(host: string): Promise<readonly Address[]>;
};

export type Address = { readonly address: string; readonly family: 4 | 6 };

/** Why a host is not dialled. */
export type HostRefusal = 'blocked_address' | 'dns' | 'dns_timeout';

export class HostRefused extends Error {
  readonly reason: HostRefusal;
  constructor(reason: HostRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** However the queries are spread over name servers, a look-up takes at most `totalMs`. */
const defaultLimits = { queryMs: 2000, tries: 2, totalMs: 4000 };

/**
 * Queries DNS without the process' thread pool: a name server that never answers blocks nothing else. All addresses must
 * be allowed, not just one: the owner of the name must not decide which one is dialled.
 */
export function createHostResolver(
  guard: AddressGuard,
  servers: readonly string[] = [],
  { queryMs, tries, totalMs } = defaultLimits,
): HostResolver {
  const dns = new Resolver({ timeout: queryMs, tries });
  if (servers.length > 0) dns.setServers([...servers]);

  async function lookUp(host: string): Promise<readonly Address[]> {
    const literal = host.replace(/^\[(.*)\]$/, '$1');
    const version = isIP(literal);
    if (version !== 0) return [{ address: literal, family: version === 6 ? 6 : 4 }];
    const name = host.toLowerCase().replace(/\.$/, '');
    // Names that always mean this machine (RFC 6761).
    if (name === 'localhost' || name.endsWith('.localhost')) return loopback;
    const answers = await Promise.allSettled([
      withTimeout(totalMs, dns.resolve4(name)).then(toAddresses(4), noAddresses),
      withTimeout(totalMs, dns.resolve6(name)).then(toAddresses(6), noAddresses),
    ]);
    const addresses = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []));
    // An answer to one of the two queries is enough. Silence to both says nothing about the name.
    if (answers.every(({ status }) => status === 'rejected'))
      throw new HostRefused('dns_timeout', `No name server answered for ${host}.`);
    return addresses;
  }

  return {
    async resolve(host) {
      const addresses = await lookUp(host);
      if (addresses.length === 0) throw new HostRefused('dns', `The name ${host} has no address.`);
      if (!addresses.every(({ address }) => guard.allows(address))) {
        throw new HostRefused(
          'blocked_address',
          `${host} resolves to an address that is not on the public internet.`,
        );
      }
      return addresses;
    },
  };
}

const loopback: readonly Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

const toAddresses =
  (family: 4 | 6) =>
  (addresses: readonly string[]): readonly Address[] =>
    addresses.map(address => ({ address, family }));

/** A negative answer is an answer: there is no such address. Only silence stays an error. */
function noAddresses(error: Error & { code?: string }): readonly Address[] {
  if (error instanceof TimeoutError || error.code === 'ETIMEOUT') throw error;
  return [];
}
