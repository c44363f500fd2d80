import type { Clock } from '../kernel/clock.ts';
import { type Database, sql } from '../platform/postgres.ts';
import { dropOldWindows } from './windows.ts';

const dayMs = 24 * 60 * 60 * 1_000;

/** Longer than the log keeps an entry, so that no batch can come back when it is forgotten. */
export const batchIdsKeptMs = 8 * dayMs;

const setAsideKeptMs = 30 * dayMs;

/** A statement removes so many rows at most: short, so that it is in nobody's way. */
const atOnce = 10_000;
const mostRounds = 1_000;

/** Removes what ingest no longer needs. Any process may, at any time. */
export async function tidyIngest(db: Database, clock: Clock, signal?: AbortSignal): Promise<void> {
  const now = clock.now();
  for (let round = 0; round < mostRounds && !signal?.aborted; round++) {
    const [gone] = await db.query<{ count: number }>(trimBatches, [
      new Date(now.getTime() - batchIdsKeptMs),
      atOnce,
    ]);
    if ((gone?.count ?? 0) < atOnce) break;
  }
  await db.query(trimSetAside, [new Date(now.getTime() - setAsideKeptMs)]);
  await dropOldWindows(db, now, batchIdsKeptMs);
}

const trimBatches = sql(
  'trim-batches',
  `with old as (select batch_id from scan_batches where at < $1 order by at limit $2),
        gone as (delete from scan_batches b using old where b.batch_id = old.batch_id returning 1)
   select count(*) from gone`,
);

const trimSetAside = sql('trim-set-aside', 'delete from ingest_set_aside where at < $1');
