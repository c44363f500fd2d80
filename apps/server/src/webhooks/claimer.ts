import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../kernel/clock.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres.ts';
import type { Job, Lines } from './lines.ts';
import type { Places } from './places.ts';
import * as statements from './settle-statements.ts';
import { type MessageRow, toDelivery } from './store.ts';

type Parts = {
  readonly db: Database;
  readonly clock: Clock;
  readonly places: Places;
  readonly lines: Lines;
  /** Jobs of an endpoint that wait for their moment. */
  readonly paced: (endpointId: Uuid) => number;
  readonly isQuick: (endpointId: Uuid) => boolean;
  readonly onJob: (job: Job) => void;
  readonly onTrouble: (error: unknown) => void;
  readonly everyMs: number;
};

/** Longer than a try and the writing down of what came of it. */
const leaseMs = 25_000;
/** What is left of the lease when a try begins must be enough for it. */
export const tryNeedsMs = 17_000;
/** Of an endpoint that answers at once some more are fetched than there are places, so that none stands empty. */
const ahead = 20;
const mostAhead = 200;

/** Fetches what is due from PostgreSQL, a few of each endpoint, as there are places. */
export function createClaimer(parts: Parts) {
  const { db, clock, places, lines, paced, isQuick, onJob, onTrouble, everyMs } = parts;
  let wake = Promise.withResolvers<void>();

  const roomOf = (endpointId: Uuid) => {
    const room = places.free('stored', endpointId);
    const waiting = lines.lengthOf(endpointId) + paced(endpointId);
    return isQuick(endpointId) ? Math.max(0, ahead - waiting) : Math.max(0, room - waiting);
  };

  /** True where there may be more. */
  async function claim(): Promise<boolean> {
    if (places.free('stored') <= 0 || lines.length() >= mostAhead) return false;
    const now = clock.now();
    const due = await db.query<{ endpoint_id: Uuid }>(statements.endpointsDue, [now]);
    const wanted = new Map<Uuid, number>();
    let left = mostAhead - lines.length();
    for (const { endpoint_id: id } of due) {
      const most = Math.min(roomOf(id), left);
      if (most <= 0) continue;
      wanted.set(id, most);
      left -= most;
    }
    if (wanted.size === 0) return false;
    const oursUntilMs = performance.now() + leaseMs;
    const rows = await db.query<MessageRow>(statements.claim, [
      [...wanted.keys()],
      [...wanted.values()],
      now,
      new Date(now.getTime() + leaseMs),
    ]);
    for (const row of rows) onJob(jobOf(row, oursUntilMs));
    return rows.length > 0;
  }

  return {
    wake: () => wake.resolve(),
    async run(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const more = await claim().catch((error: unknown) => {
          onTrouble(error);
          return false;
        });
        if (more && places.free('stored') > 0 && lines.length() === 0) continue;
        const rest = new AbortController();
        const either = AbortSignal.any([signal, rest.signal]);
        await Promise.race([
          wake.promise,
          pause(everyMs, undefined, { signal: either }).catch(() => undefined),
        ]);
        rest.abort();
        wake = Promise.withResolvers();
      }
    },
  };
}

function jobOf(row: MessageRow, oursUntilMs: number): Job {
  const { id, endpointId, accountId, mode, qrCodeId, event, body, createdAt, trace } = toDelivery(row);
  return {
    message: { id, endpointId, accountId, mode, qrCodeId, event, body, createdAt, trace },
    kind: 'stored',
    tries: row.tries,
    attempts: row.attempts,
    oursUntilMs,
    slot: null,
    ack: () => undefined,
  };
}
