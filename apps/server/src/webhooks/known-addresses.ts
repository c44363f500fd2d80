import type { Address, HostResolver } from './resolver.ts';

/**
 * What names led to a short time ago. Every address in it was held against the guard, and just these are dialled: whoever
 * looks a name up before its moment waits for no name server when that has come.
 */
export type KnownAddresses = HostResolver & {
  /** Looks a name up, unless that was done a moment ago. Throws as the resolver does. */
  renew(host: string): Promise<void>;
};

type Known = { readonly addresses: readonly Address[]; readonly atMs: number };

/** Between the look-up and the dial lies the wait for a moment: what is fresh enough then is not too old afterwards. */
const [freshMs, keptMs] = [5_000, 10_000];
const mostKnown = 10_000;

export function createKnownAddresses(resolver: HostResolver): KnownAddresses {
  const known = new Map<string, Known>();
  const asking = new Map<string, Promise<readonly Address[]>>();

  async function lookUp(host: string): Promise<readonly Address[]> {
    try {
      const addresses = await resolver.resolve(host);
      known.delete(host);
      known.set(host, { addresses, atMs: performance.now() });
      if (known.size > mostKnown) known.delete(known.keys().next().value!);
      return addresses;
    } finally {
      asking.delete(host);
    }
  }

  /** Whoever wants the same name at the same time waits for the same answer. */
  function askOnce(host: string): Promise<readonly Address[]> {
    const asked = asking.get(host) ?? lookUp(host);
    asking.set(host, asked);
    return asked;
  }

  const within = (ms: number, host: string): readonly Address[] | undefined => {
    const one = known.get(host);
    return one && performance.now() - one.atMs < ms ? one.addresses : undefined;
  };

  return {
    async renew(host) {
      if (!within(freshMs, host)) await askOnce(host);
    },
    resolve: async host => within(keptMs, host) ?? (await askOnce(host)),
  };
}
