import type { Uuid } from '../../../kernel/ids.ts';
import type { JobSource } from '../job.ts';

/**
 * Limits the attempts that a process has in flight. One endpoint holds at most a tenth of the slots, so that endpoints
 * that never answer leave room for the rest. Jobs from PostgreSQL (retries, replays) hold at most half, of all slots and
 * of each endpoint's: a new event finds a slot beside them.
 */
export type ConcurrencyLimiter = {
  /** False where there is no slot for this endpoint now. */
  acquire(endpointId: Uuid, source: JobSource): boolean;
  release(endpointId: Uuid, source: JobSource): void;
  /** Free slots for jobs from this source: at one endpoint, or at any. */
  available(source: JobSource, endpointId?: Uuid): number;
  inUse(): number;
  /** The slots of the endpoint that holds most. */
  busiestEndpoint(): number;
};

const endpointShare = 10;

export function createConcurrencyLimiter(total: number): ConcurrencyLimiter {
  const maxPerEndpoint = Math.floor(total / endpointShare);
  const maxStored = Math.floor(total / 2);
  const maxStoredPerEndpoint = Math.max(1, Math.floor(maxPerEndpoint / 2));
  const perEndpoint = new Map<Uuid, Record<JobSource, number>>();
  const used = { queue: 0, postgres: 0 };

  function available(source: JobSource, endpointId?: Uuid): number {
    const own = endpointId === undefined ? undefined : perEndpoint.get(endpointId);
    const free = total - used.queue - used.postgres;
    const freeAtEndpoint = maxPerEndpoint - (own ? own.queue + own.postgres : 0);
    if (source === 'queue') return Math.min(free, freeAtEndpoint);
    return Math.min(
      free,
      freeAtEndpoint,
      maxStored - used.postgres,
      maxStoredPerEndpoint - (own?.postgres ?? 0),
    );
  }

  return {
    acquire(endpointId, source) {
      if (available(source, endpointId) <= 0) return false;
      const own = perEndpoint.get(endpointId) ?? { queue: 0, postgres: 0 };
      perEndpoint.set(endpointId, own);
      own[source]++;
      used[source]++;
      return true;
    },
    release(endpointId, source) {
      const own = perEndpoint.get(endpointId)!;
      own[source]--;
      used[source]--;
      if (own.queue + own.postgres === 0) perEndpoint.delete(endpointId);
    },
    available,
    inUse: () => used.queue + used.postgres,
    busiestEndpoint: () => Math.max(0, ...[...perEndpoint.values()].map(own => own.queue + own.postgres)),
  };
}
