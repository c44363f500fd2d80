import { randomUUID } from 'node:crypto';
import { withTimeout } from '../../kernel/running/with-timeout.ts';
import type { RedisClient } from '../../platform/redis/redis.ts';
import type { ChangeNumber } from './change.ts';
import type { LeaseRegistry } from './lease.ts';
import * as scripts from './lease-scripts.ts';

/** The leases of all redirect processes, in Redis. */
export type RedisLeaseRegistry = LeaseRegistry & {
  /** `newest`: the number of a change that this process was given. Processes that renew their leases learn of it. */
  read(newest?: ChangeNumber | null): Promise<RegistryState>;
  /** A revoked lease can no longer be renewed. */
  revoke(leases: readonly Pick<Holder, 'name'>[]): Promise<void>;
  /** For revoked leases that have run out: no edit has to wait for them. */
  remove(leases: readonly Pick<Holder, 'name'>[]): Promise<void>;
  /** The caller has waited until the registry was settled, so no other edit has to. */
  markSettled(state: RegistryState): Promise<void>;
};

/** A process that may serve from memory, and the name of its lease. */
export type Holder = {
  readonly process: string;
  readonly name: string;
  /** The version of the protocol that it understands. */
  readonly protocol: number;
  /** Whether it can no longer be renewed. */
  readonly isRevoked: boolean;
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

type Flat = readonly string[];
type Numbers = readonly [stream: string | null, n: string | null];
type Read = { readonly generation: string; readonly settled: boolean; readonly flat: Flat | null };
type Sighting = { readonly renewals: string; readonly sinceMs: number };

const revokedPrefix = 'revoked:';

export function createLeaseRegistry(redis: RedisClient, options: Options): RedisLeaseRegistry {
  const { leaseMs, timeoutMs, key = 'signpost:lease-registry', nowMs = () => performance.now() } = options;
  let current = { generation: '', sinceMs: 0 };
  /** The leases at a version of the registry. */
  let known: { version: string; holders: readonly Holder[] } = { version: '', holders: [] };
  let sightings = new Map<string, Sighting>();
  let sweeper: Sighting & { readonly name: string } = { name: '', renewals: '', sinceMs: 0 };

  const run = (script: string, ...args: readonly (string | number)[]) =>
    withTimeout(timeoutMs, redis.eval(script, 1, key, ...args));
  const runWithId = (script: string, ...args: readonly (string | number)[]) =>
    run(script, randomUUID(), ...args);

  /** Its age counts from the answer: the generation existed before that. No fields where `version` is still the same. */
  async function readFields(
    version: string,
    newest: ChangeNumber | null,
  ): Promise<Read & { version: string }> {
    const answer = await runWithId(scripts.read, version, newest?.stream ?? '', newest?.n ?? 0);
    const [generation, settled, latest, flat] = answer as [string, number, string, Flat | null];
    if (generation !== current.generation) current = { generation, sinceMs: nowMs() };
    return { generation, settled: settled === 1, version: latest, flat };
  }

  /** A sweeper that has died is found by the others: then each of them sweeps until it is gone. */
  function mustSweep(own: string, name: string, renewals: string): boolean {
    if (own === name) return true;
    if (sweeper.name !== name || sweeper.renewals !== renewals)
      sweeper = { name, renewals, sinceMs: nowMs() };
    return nowMs() - sweeper.sinceMs >= leaseMs;
  }

  return {
    async join(name, former) {
      const [generation, numbers] = (await runWithId(scripts.join, name, former)) as [string, Numbers];
      return { generation, newest: toChangeNumber(numbers) };
    },
    async renew(name, generation, knownMs) {
      const answer = await runWithId(scripts.renew, name, generation, knownMs >= leaseMs ? 1 : 0);
      if (answer === null) return null;
      const [sweeping, renewals, numbers] = answer as [string, string, Numbers];
      return { newest: toChangeNumber(numbers), mustSweep: mustSweep(name, sweeping, renewals) };
    },
    async leave(name) {
      await run(scripts.remove, name, revokedPrefix + name);
    },
    async sweep() {
      const { flat } = await readFields('', null);
      const seenMs = nowMs();
      const before = sightings;
      sightings = new Map(
        listLeases(flat!).map(([field, renewals]) => {
          const seen = before.get(field);
          return [field, seen?.renewals === renewals ? seen : { renewals, sinceMs: seenMs }];
        }),
      );
      const expired = [...sightings].filter(([, { sinceMs }]) => seenMs - sinceMs >= leaseMs);
      if (expired.length > 0)
        await run(scripts.removeExpired, ...expired.flatMap(([field, { renewals }]) => [field, renewals]));
    },
    async read(newest = null) {
      const { generation, settled, version, flat } = await readFields(known.version, newest);
      // Another call may have been answered meanwhile: what this one was not sent, it knew when it asked.
      if (flat) known = { version, holders: listLeases(flat).map(([field]) => parseHolder(field)) };
      else if (known.version !== version) return this.read(newest);
      return {
        generation,
        holders: known.holders,
        unsettledMs: settled ? 0 : Math.max(0, current.sinceMs + leaseMs - nowMs()),
      };
    },
    async revoke(leases) {
      if (leases.length > 0) await run(scripts.revoke, ...leases.map(({ name }) => name));
    },
    async remove(leases) {
      if (leases.length > 0) await run(scripts.remove, ...leases.map(({ name }) => revokedPrefix + name));
    },
    async markSettled({ generation }) {
      await runWithId(scripts.markSettled, generation);
    },
  };
}

function listLeases(flat: Flat): [field: string, renewals: string][] {
  const leases: [string, string][] = [];
  for (let i = 0; i < flat.length; i += 2)
    if (!flat[i]!.startsWith('#')) leases.push([flat[i]!, flat[i + 1]!]);
  return leases;
}

const toChangeNumber = ([stream, n]: Numbers): ChangeNumber | null =>
  stream === null || n === null ? null : { stream, n: Number(n) };

/** Names have the form `process/number/protocol`; those of protocol 1 end after the number. */
function parseHolder(field: string): Holder {
  const isRevoked = field.startsWith(revokedPrefix);
  const name = isRevoked ? field.slice(revokedPrefix.length) : field;
  const [process = '', , version = 'v1'] = name.split('/');
  return { name, process, protocol: Number(version.slice(1)), isRevoked };
}
