import type { ClickHouse } from '../platform/clickhouse.ts';
import { type Database, sql } from '../platform/postgres.ts';
import type { LogMark } from './backup.ts';

/** What is asked of the log there is now; null where there is none. */
export type LogNow = (shard: number) => Promise<{ createdAt: string; lastPosition: number } | null>;

/**
 * Sets positions for the log there is now. One that is still there, and reaches as far as it was counted, is read on from
 * there. Any other is read from its beginning: what of it was counted is known by the ids of its batches, which are
 * remembered for longer than any log keeps them. Returns the shards that begin anew.
 */
export async function settlePositions(
  db: Database,
  logs: readonly LogMark[],
  logNow: LogNow,
): Promise<number[]> {
  const anew: number[] = [];
  for (const { shard, position, createdAt } of logs) {
    const now = await logNow(shard);
    const isSame = now !== null && now.createdAt === createdAt && now.lastPosition >= position;
    if (!isSame) anew.push(shard);
  }
  await db.transaction(async tx => {
    await tx.query(forgetGroups);
    await tx.query(forgetOwners);
    await tx.query(beginAnew, [anew]);
    await tx.query(moveSetAside, [anew]);
  });
  return anew;
}

/** For a log that was lost while the stores were not: all shards begin anew, and no row is taken for one of the new log. */
export async function beginNewLog(db: Database, clickhouse: ClickHouse): Promise<number[]> {
  const rows = await db.query<{ shard: number; position: number }>(allPositions);
  await clickhouse.command(
    'alter table scans update position = 0 where position > 0 settings mutations_sync = 2',
    {},
    { timeoutMs: 3_600_000 },
  );
  return settlePositions(
    db,
    rows.map(row => ({ ...row, createdAt: null })),
    async () => null,
  );
}

/** Their rows are in the backup: a snapshot is copied only when ClickHouse has all that was counted in it. */
const forgetGroups = sql('backup-forget-groups', 'delete from ingest_groups');
const forgetOwners = sql('backup-forget-owners', 'update ingest_positions set owner = null');
const beginAnew = sql(
  'backup-begin-anew',
  'update ingest_positions set position = 0, updated_at = now() where shard = any($1::int[])',
);
/** They stay for a look, out of the way of the numbers of the new log. */
const moveSetAside = sql(
  'backup-move-set-aside',
  'update ingest_set_aside set position = position - 1000000000000 where shard = any($1::int[])',
);
const allPositions = sql('backup-positions', 'select shard, position from ingest_positions order by shard');
