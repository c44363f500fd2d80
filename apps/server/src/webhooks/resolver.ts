import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { OutOfTime, within } from '../kernel/within.ts';
import type { AddressGuard } from './address-guard.ts';

/** Finds the addresses of a host and holds every one of them against the guard. */
export type HostResolver = {
  /** The addresses that may be dialled. Throws HostRefused where one of them may not, or where there is none. */
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

/** However the tries are spread over servers, nobody waits longer for a name than `totalMs`. */
const patience = { queryMs: 2000, tries: 2, totalMs: 4000 };

/**
 * Asks DNS without the threads of the process: a name server that never answers holds up nobody else. All addresses
 * must be good, not one of them: which one is dialled must not be left to whoever answers for the name.
 */
export function createHostResolver(
  guard: AddressGuard,
  servers: readonly string[] = [],
  { queryMs, tries, totalMs } = patience,
): HostResolver {
  const dns = new Resolver({ timeout: queryMs, tries });
  if (servers.length > 0) dns.setServers([...servers]);

  async function lookUp(host: string): Promise<readonly Address[]> {
    const literal = host.replace(/^\[(.*)\]$/, '$1');
    const version = isIP(literal);
    if (version !== 0) return [{ address: literal, family: version === 6 ? 6 : 4 }];
    const name = host.toLowerCase().replace(/\.$/, '');
    // Names that mean this machine wherever one asks (RFC 6761).
    if (name === 'localhost' || name.endsWith('.localhost')) return loopback;
    const answers = await Promise.allSettled([
      within(totalMs, dns.resolve4(name)).then(toAddresses(4), heard),
      within(totalMs, dns.resolve6(name)).then(toAddresses(6), heard),
    ]);
    const addresses = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []));
    // An answer to one of the two questions says enough; silence to both says nothing about the name.
    if (answers.every(({ status }) => status === 'rejected'))
      throw new HostRefused('dns_timeout', `No name server answered for ${host}.`);
    return addresses;
  }

  return {
    async resolve(host) {
      const addresses = await lookUp(host);
      if (addresses.length === 0) throw new HostRefused('dns', `The name ${host} leads to no address.`);
      if (!addresses.every(({ address }) => guard.allows(address))) {
        throw new HostRefused(
          'blocked_address',
          `${host} leads to an address that is not on the public internet.`,
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

/** A name server that says no has answered: there is no such address. Only silence stays an error. */
function heard(error: Error & { code?: string }): readonly Address[] {
  if (error instanceof OutOfTime || error.code === 'ETIMEOUT') throw error;
  return [];
}
