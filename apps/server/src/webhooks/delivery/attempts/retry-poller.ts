import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../../kernel/clock.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import type { Database } from '../../../platform/postgres/postgres.ts';
import { type MessageRow, toDelivery } from '../../message-store.ts';
import type { Job } from '../job.ts';
import type { EndpointQueues } from '../queue/endpoint-queues.ts';
import type { ConcurrencyLimiter } from '../rates/concurrency-limiter.ts';
import type { FastEndpoints } from '../rates/fast-endpoints.ts';
import * as statements from '../statements.ts';

/** Leases messages that are due from PostgreSQL (retries, replays, deferred events), a few per endpoint, as free are free. */
export type RetryPoller = {
  run(signal: AbortSignal): Promise<void>;
  /** Polls now instead of at the end of the interval. */
  wake(): void;
};

type Parts = {
  readonly db: Database;
  readonly clock: Clock;
  readonly limiter: ConcurrencyLimiter;
  readonly endpointQueues: EndpointQueues;
  /** Jobs of an endpoint that wait for a reservation. */
  readonly countScheduled: (endpointId: Uuid) => number;
  readonly fastEndpoints: Pick<FastEndpoints, 'has'>;
  readonly onJob: (job: Job) => void;
  readonly onError: (error: unknown) => void;
  readonly everyMs: number;
};

/** Longer than an attempt and the writing of its outcome. */
const leaseMs = 25_000;
/** An attempt begins only while this much of its lease is left. */
export const attemptNeedsMs = 17_000;
/** An endpoint that answers quickly gets more jobs than it has free, so that no slot waits for the next poll. */
const prefetch = 20;
const maxPrefetched = 200;

export function createRetryPoller(parts: Parts): RetryPoller {
  const { db, clock, limiter, endpointQueues, countScheduled, fastEndpoints, onJob, onError, everyMs } =
    parts;
  let woken = Promise.withResolvers<void>();

  function countWanted(endpointId: Uuid): number {
    const free = fastEndpoints.has(endpointId) ? prefetch : limiter.available('postgres', endpointId);
    return Math.max(0, free - endpointQueues.countJobs(endpointId) - countScheduled(endpointId));
  }

  /** True where there may be more. */
  async function poll(): Promise<boolean> {
    if (limiter.available('postgres') <= 0 || endpointQueues.length() >= maxPrefetched) return false;
    const now = clock.now();
    const due = await db.query<{ endpoint_id: Uuid }>(statements.endpointsDue, [now]);
    const wanted = new Map<Uuid, number>();
    let left = maxPrefetched - endpointQueues.length();
    for (const { endpoint_id: id } of due) {
      const count = Math.min(countWanted(id), left);
      if (count <= 0) continue;
      wanted.set(id, count);
      left -= count;
    }
    if (wanted.size === 0) return false;
    const leaseEndsMs = performance.now() + leaseMs;
    const rows = await db.query<MessageRow>(statements.leaseDue, [
      [...wanted.keys()],
      [...wanted.values()],
      now,
      new Date(now.getTime() + leaseMs),
    ]);
    for (const row of rows) onJob(toJob(row, leaseEndsMs));
    return rows.length > 0;
  }

  return {
    wake: () => woken.resolve(),
    async run(signal) {
      while (!signal.aborted) {
        const hasMore = await poll().catch((error: unknown) => {
          onError(error);
          return false;
        });
        if (hasMore && limiter.available('postgres') > 0 && endpointQueues.length() === 0) continue;
        const interval = new AbortController();
        const either = AbortSignal.any([signal, interval.signal]);
        await Promise.race([
          woken.promise,
          pause(everyMs, undefined, { signal: either }).catch(() => undefined),
        ]);
        interval.abort();
        woken = Promise.withResolvers();
      }
    },
  };
}

function toJob(row: MessageRow, leaseEndsMs: number): Job {
  const { id, endpointId, accountId, mode, qrCodeId, event, body, createdAt, trace } = toDelivery(row);
  return {
    message: { id, endpointId, accountId, mode, qrCodeId, event, body, createdAt, trace },
    source: 'postgres',
    roundAttempts: row.tries,
    attempts: row.attempts,
    leaseEndsMs,
    reservation: null,
    ack: () => undefined,
  };
}
