import type { Address, HostResolver } from '../../resolver.ts';

/**
 * Addresses of names that were looked up a short time ago. Each was checked by the guard, and only these are dialled. A
 * name that is refreshed before its reserved time needs no name server at that time.
 */
export type AddressCache = HostResolver & {
  /** Looks a name up, unless its addresses are fresh. Throws as the resolver does. */
  refresh(host: string): Promise<void>;
};

type Entry = { readonly addresses: readonly Address[]; readonly atMs: number };

/** An attempt waits for its reservation between the look-up and the dial: what was fresh then is valid long enough. */
const [freshMs, validMs] = [5_000, 10_000];
const maxEntries = 10_000;

export function createAddressCache(resolver: HostResolver): AddressCache {
  const entries = new Map<string, Entry>();
  const pending = new Map<string, Promise<readonly Address[]>>();

  async function lookUp(host: string): Promise<readonly Address[]> {
    try {
      const addresses = await resolver.resolve(host);
      entries.delete(host);
      entries.set(host, { addresses, atMs: performance.now() });
      if (entries.size > maxEntries) entries.delete(entries.keys().next().value!);
      return addresses;
    } finally {
      pending.delete(host);
    }
  }

  /** Concurrent look-ups of one name share one answer. */
  function lookUpOnce(host: string): Promise<readonly Address[]> {
    const answer = pending.get(host) ?? lookUp(host);
    pending.set(host, answer);
    return answer;
  }

  const youngerThan = (ms: number, host: string): readonly Address[] | undefined => {
    const entry = entries.get(host);
    return entry && performance.now() - entry.atMs < ms ? entry.addresses : undefined;
  };

  return {
    async refresh(host) {
      if (!youngerThan(freshMs, host)) await lookUpOnce(host);
    },
    resolve: async host => youngerThan(validMs, host) ?? (await lookUpOnce(host)),
  };
}
