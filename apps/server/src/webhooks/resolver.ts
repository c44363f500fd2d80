import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { AddressGuard } from './address-guard.ts';

/** Finds the addresses of a host and holds every one of them against the guard. */
export type HostResolver = {
  /** The addresses that may be dialled. Throws HostRefused where one of them may not, or where there is none. */
  resolve(host: string): Promise<readonly Address[]>;
};

export type Address = { readonly address: string; readonly family: 4 | 6 };

/** Why a host is not dialled. */
export class HostRefused extends Error {
  readonly reason: 'blocked_address' | 'dns';
  constructor(reason: 'blocked_address' | 'dns', message: string) {
    super(message);
    this.reason = reason;
  }
}

const [queryMs, tries] = [2000, 2];

/**
 * Asks DNS without the threads of the process: a name server that never answers holds up nobody else. All addresses
 * must be good, not one of them: which one is dialled must not be left to whoever answers for the name.
 */
export function createHostResolver(guard: AddressGuard, servers: readonly string[] = []): HostResolver {
  const dns = new Resolver({ timeout: queryMs, tries });
  if (servers.length > 0) dns.setServers([...servers]);

  async function lookUp(host: string): Promise<readonly Address[]> {
    const literal = host.replace(/^\[(.*)\]$/, '$1');
    const version = isIP(literal);
    if (version !== 0) return [{ address: literal, family: version === 6 ? 6 : 4 }];
    const name = host.toLowerCase().replace(/\.$/, '');
    // Names that mean this machine wherever one asks (RFC 6761).
    if (name === 'localhost' || name.endsWith('.localhost')) return loopback;
    const [v4, v6] = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)]);
    return [...found(v4).map(toAddress(4)), ...found(v6).map(toAddress(6))];
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

const found = (settled: PromiseSettledResult<string[]>) =>
  settled.status === 'fulfilled' ? settled.value : [];

const toAddress =
  (family: 4 | 6) =>
  (address: string): Address => ({ address, family });
