import { type Database, sql } from '../platform/postgres.ts';
import { dropOldWindows } from './windows.ts';

/** Longer than the log keeps an entry, so that no batch can come back when it is forgotten. */
export const batchIdsKeptDays = 8;

const setAsideKeptDays = 30;

/** A statement removes so many rows at most: short, so that it is in nobody's way. */
const atOnce = 10_000;
const mostRounds = 1_000;

export type Tidied = {
  readonly batches: number;
  readonly setAside: number;
  readonly tables: readonly string[];
};

/** Removes what ingest no longer needs, by PostgreSQL's clock alone. Any process may, at any time. */
export async function tidyIngest(db: Database, signal?: AbortSignal): Promise<Tidied> {
  let batches = 0;
  for (let round = 0; round < mostRounds && !signal?.aborted; round++) {
    const [gone] = await db.query<{ count: number }>(trimBatches, [batchIdsKeptDays, atOnce]);
    batches += gone?.count ?? 0;
    if ((gone?.count ?? 0) < atOnce) break;
  }
  const setAside = await db.query(trimSetAside, [setAsideKeptDays]);
  return { batches, setAside: setAside.length, tables: await dropOldWindows(db, batchIdsKeptDays) };
}

const trimBatches = sql(
  'trim-batches',
  `with old as (select batch_id from scan_batches where at < now() - $1 * interval '1 day' order by at limit $2),
        gone as (delete from scan_batches b using old where b.batch_id = old.batch_id returning 1)
   select count(*) from gone`,
);

const trimSetAside = sql(
  'trim-set-aside',
  `delete from ingest_set_aside where at < now() - $1 * interval '1 day' returning 1`,
);
