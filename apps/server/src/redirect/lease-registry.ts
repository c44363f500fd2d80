import { randomUUID } from 'node:crypto';
import { withTimeout } from '../kernel/with-timeout.ts';
import type { RedisClient } from '../platform/redis.ts';
import type { LeaseRegistry } from './lease.ts';
import * as scripts from './lease-scripts.ts';

/** The leases of all redirect processes, in Redis. */
export type RedisLeaseRegistry = LeaseRegistry & {
  read(): Promise<RegistryState>;
  /** A revoked lease can no longer be renewed. */
  revoke(leases: readonly Pick<Holder, 'name'>[]): Promise<void>;
  /** For revoked leases that have run out: no edit has to wait for them. */
  remove(leases: readonly Pick<Holder, 'name'>[]): Promise<void>;
  /** The caller has waited until the registry was settled, so no other edit has to. */
  settle(state: RegistryState): Promise<void>;
};

/** A process that may serve from memory, and the name of its lease. */
export type Holder = {
  readonly process: string;
  readonly name: string;
  /** The version of the protocol that it understands. */
  readonly protocol: number;
};

export type RegistryState = {
  readonly generation: string;
  /** Includes revoked leases: their processes serve from memory until the lease runs out. */
  readonly holders: readonly Holder[];
  /** How much longer leases of an earlier registry, which was lost, may still be good. */
  readonly unsettledMs: number;
};

type Options = {
  readonly leaseMs: number;
  /** For each call to Redis. */
  readonly timeoutMs: number;
  readonly key?: string;
  readonly nowMs?: () => number;
};

type Fields = { generation: string; settled: boolean; fields: Map<string, string> };
type Sighting = { readonly renewals: string; readonly sinceMs: number };

const revokedPrefix = 'revoked:';

export function createLeaseRegistry(redis: RedisClient, options: Options): RedisLeaseRegistry {
  const { leaseMs, timeoutMs, key = 'signpost:lease-registry', nowMs = () => performance.now() } = options;
  let current = { generation: '', sinceMs: 0 };
  let sightings = new Map<string, Sighting>();

  const run = (script: string, ...args: readonly (string | number)[]) =>
    withTimeout(timeoutMs, redis.eval(script, 1, key, ...args));
  const runWithId = (script: string, ...args: readonly (string | number)[]) =>
    run(script, randomUUID(), ...args);

  /** Its age counts from the answer: the generation existed before that. */
  async function readFields(): Promise<Fields> {
    const [generation, settled, flat] = (await runWithId(scripts.read)) as [string, number, string[]];
    if (generation !== current.generation) current = { generation, sinceMs: nowMs() };
    const fields = new Map<string, string>();
    for (let i = 0; i < flat.length; i += 2)
      if (!flat[i]!.startsWith('#')) fields.set(flat[i]!, flat[i + 1]!);
    return { generation, settled: settled === 1, fields };
  }

  return {
    async join(name, former) {
      return (await runWithId(scripts.join, name, former)) as string;
    },
    async renew(name, generation, knownMs) {
      return (await runWithId(scripts.renew, name, generation, knownMs >= leaseMs ? 1 : 0)) === 1;
    },
    async leave(name) {
      await withTimeout(timeoutMs, redis.hdel(key, name, revokedPrefix + name));
    },
    async sweep() {
      const { fields } = await readFields();
      const seenMs = nowMs();
      const known = sightings;
      sightings = new Map(
        Array.from(fields, ([field, renewals]) => {
          const before = known.get(field);
          return [field, before?.renewals === renewals ? before : { renewals, sinceMs: seenMs }];
        }),
      );
      const expired = [...sightings].filter(([, { sinceMs }]) => seenMs - sinceMs >= leaseMs);
      if (expired.length > 0)
        await run(scripts.removeExpired, ...expired.flatMap(([field, { renewals }]) => [field, renewals]));
    },
    async read() {
      const { generation, settled, fields } = await readFields();
      return {
        generation,
        holders: Array.from(fields.keys(), holderOf),
        unsettledMs: settled ? 0 : Math.max(0, current.sinceMs + leaseMs - nowMs()),
      };
    },
    async revoke(leases) {
      if (leases.length > 0) await run(scripts.revoke, ...leases.map(({ name }) => name));
    },
    async remove(leases) {
      if (leases.length > 0)
        await withTimeout(timeoutMs, redis.hdel(key, ...leases.map(({ name }) => revokedPrefix + name)));
    },
    async settle({ generation }) {
      await runWithId(scripts.settle, generation);
    },
  };
}

/** Names have the form `process/number/protocol`; those of protocol 1 end after the number. */
function holderOf(field: string): Holder {
  const name = field.startsWith(revokedPrefix) ? field.slice(revokedPrefix.length) : field;
  const [process = '', , version = 'v1'] = name.split('/');
  return { name, process, protocol: Number(version.slice(1)) };
}
