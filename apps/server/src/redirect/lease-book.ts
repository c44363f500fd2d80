import { randomUUID } from 'node:crypto';
import { within } from '../kernel/within.ts';
import type { RedisClient } from '../platform/redis.ts';
import type { LeaseBook } from './lease.ts';
import * as scripts from './lease-scripts.ts';

/** The registry of the leases of all redirect processes, in Redis. */
export type RedisLeaseBook = LeaseBook & {
  read(): Promise<Registry>;
  /** Leases that cannot be renewed any more. */
  strike(leases: readonly Pick<Holder, 'name'>[]): Promise<void>;
  /** For struck leases that have run out: nobody needs to wait for them any more. */
  bury(leases: readonly Pick<Holder, 'name'>[]): Promise<void>;
  /** The caller has waited until the registry was settled, so others need not. */
  settle(registry: Registry): Promise<void>;
};

/** A process that may trust its memory, and the name of its lease. */
export type Holder = {
  readonly process: string;
  readonly name: string;
  /** The version of the protocol that it understands. */
  readonly protocol: number;
};

export type Registry = {
  readonly generation: string;
  /** Also those that were struck: their processes trust their memory until the lease runs out. */
  readonly holders: readonly Holder[];
  /** How much longer leases of a registry before this one, which nobody knows any more, may be good. */
  readonly unsettledMs: number;
};

type Options = {
  readonly leaseMs: number;
  /** For each call to Redis. */
  readonly timeoutMs: number;
  readonly key?: string;
  readonly nowMs?: () => number;
};

type Reading = { generation: string; settled: boolean; fields: Map<string, string> };
type Sighting = { readonly renewals: string; readonly sinceMs: number };

const struck = 'struck:';

export function createLeaseBook(redis: RedisClient, options: Options): RedisLeaseBook {
  const { leaseMs, timeoutMs, key = 'signpost:lease-registry', nowMs = () => performance.now() } = options;
  let current = { generation: '', sinceMs: 0 };
  let sightings = new Map<string, Sighting>();

  const run = (script: string, ...args: readonly (string | number)[]) =>
    within(timeoutMs, redis.eval(script, 1, key, ...args));
  const runKnowing = (script: string, ...args: readonly (string | number)[]) =>
    run(script, randomUUID(), ...args);

  /** Counted from the answer: the generation was there before it. */
  async function look(): Promise<Reading> {
    const [generation, settled, flat] = (await runKnowing(scripts.read)) as [string, number, string[]];
    if (generation !== current.generation) current = { generation, sinceMs: nowMs() };
    const fields = new Map<string, string>();
    for (let i = 0; i < flat.length; i += 2)
      if (!flat[i]!.startsWith('#')) fields.set(flat[i]!, flat[i + 1]!);
    return { generation, settled: settled === 1, fields };
  }

  return {
    async join(name, former) {
      return (await runKnowing(scripts.join, name, former)) as string;
    },
    async renew(name, generation, seenMs) {
      return (await runKnowing(scripts.renew, name, generation, seenMs >= leaseMs ? 1 : 0)) === 1;
    },
    async leave(name) {
      await within(timeoutMs, redis.hdel(key, name, struck + name));
    },
    async sweep() {
      const { fields } = await look();
      const seenMs = nowMs();
      const known = sightings;
      sightings = new Map(
        Array.from(fields, ([field, renewals]) => {
          const before = known.get(field);
          return [field, before?.renewals === renewals ? before : { renewals, sinceMs: seenMs }];
        }),
      );
      const ended = [...sightings].filter(([, { sinceMs }]) => seenMs - sinceMs >= leaseMs);
      if (ended.length > 0)
        await run(scripts.forget, ...ended.flatMap(([field, { renewals }]) => [field, renewals]));
    },
    async read() {
      const { generation, settled, fields } = await look();
      return {
        generation,
        holders: Array.from(fields.keys(), holderOf),
        unsettledMs: settled ? 0 : Math.max(0, current.sinceMs + leaseMs - nowMs()),
      };
    },
    async strike(leases) {
      if (leases.length > 0) await run(scripts.strike, ...leases.map(({ name }) => name));
    },
    async bury(leases) {
      if (leases.length > 0)
        await within(timeoutMs, redis.hdel(key, ...leases.map(({ name }) => struck + name)));
    },
    async settle({ generation }) {
      await runKnowing(scripts.settle, generation);
    },
  };
}

/** A lease is named after its process, with a number behind, and its protocol behind that since there was a second. */
function holderOf(field: string): Holder {
  const name = field.startsWith(struck) ? field.slice(struck.length) : field;
  const [process = '', , version = 'v1'] = name.split('/');
  return { name, process, protocol: Number(version.slice(1)) };
}
