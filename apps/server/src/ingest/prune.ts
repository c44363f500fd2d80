import { type Database, sql } from '../platform/postgres/postgres.ts';
import { dropOldVisitorTables } from './visitor-tables.ts';

/** Longer than the retention of the log, so that no batch can reappear after its id is pruned. */
export const batchIdsKeptDays = 8;

const quarantineKeptDays = 30;

/** Rows per statement: small, so that it holds no locks for long. */
const rowsPerStatement = 10_000;
const maxStatements = 1_000;

export type Pruned = {
  readonly batches: number;
  readonly quarantined: number;
  readonly tables: readonly string[];
};

/** Removes what ingest no longer needs, by PostgreSQL's clock. Any process may run it at any time. */
export async function pruneIngest(db: Database, signal?: AbortSignal): Promise<Pruned> {
  let batches = 0;
  for (let round = 0; round < maxStatements && !signal?.aborted; round++) {
    const [removed] = await db.query<{ count: number }>(pruneBatches, [batchIdsKeptDays, rowsPerStatement]);
    batches += removed?.count ?? 0;
    if ((removed?.count ?? 0) < rowsPerStatement) break;
  }
  const quarantined = await db.query(pruneQuarantine, [quarantineKeptDays]);
  return {
    batches,
    quarantined: quarantined.length,
    tables: await dropOldVisitorTables(db, batchIdsKeptDays),
  };
}

const pruneBatches = sql(
  'prune-batches',
  `with old as (select batch_id from scan_batches where at < now() - $1 * interval '1 day' order by at limit $2),
        removed as (delete from scan_batches b using old where b.batch_id = old.batch_id returning 1)
   select count(*) from removed`,
);

const pruneQuarantine = sql(
  'prune-quarantine',
  `delete from ingest_quarantine where at < now() - $1 * interval '1 day' returning 1`,
);
