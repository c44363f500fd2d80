import { type Database, isLockTimeout, sql, unprepared } from '../../../platform/postgres/postgres.ts';
import { type Month, nextMonth, toMonth } from '../month.ts';

/** The months that have a partition in `scans`. */
export type ScanPartitions = {
  /** Creates the partitions of the months of these moments that have none. */
  prepare(moments: readonly number[]): Promise<void>;
};

export function createScanPartitions(db: Database): ScanPartitions {
  const known = new Set<string>();
  return {
    async prepare(moments) {
      for (const month of new Set(moments.map(toMonth))) {
        if (known.has(month)) continue;
        await db.transaction(async tx => {
          // Of two processes that need the month at once, the second finds it.
          await tx.query(lockPartitions);
          const table = toTableName(month);
          if ((await tx.query(findPartition, [table])).length > 0) return;
          for (const statement of createPartition(table, month)) await tx.query(statement);
        });
        known.add(month);
      }
    },
  };
}

const toTableName = (month: Month, table = 'scans') => `${table}_${month.replace('-', '_')}`;

/** Attached and not created in place: that would wait for every query of the table, and everything else for it. */
function createPartition(table: string, month: string) {
  const start = (of: string) => `'${of}-01 00:00:00+00'`;
  return [
    sql(`create-${table}`, `create table ${table} (like scans including all)`),
    sql(
      `attach-${table}`,
      `alter table scans attach partition ${table} for values from (${start(month)}) to (${start(nextMonth(month))})`,
    ),
  ];
}

const lockPartitions = sql(
  'scans-lock-partitions',
  `select pg_advisory_xact_lock(hashtext('scans partitions'))`,
);

const findPartition = sql(
  'scans-find-partition',
  'select 1 as found from pg_class c join pg_inherits i on i.inhrelid = c.oid where c.oid = to_regclass($1)',
);

/** The tables that have a partition per month. */
const partitionedTables = ['scans'] as const;

/** The longest that a drop waits for its lock: counting queues behind it. */
const lockMs = 200;

/** The months that have a partition, the oldest first. */
export async function listMonths(db: Database): Promise<readonly Month[]> {
  return (await db.query<{ month: Month }>(everyMonth, [partitionedTables])).map(({ month }) => month);
}

/** Drops a month of every table. False if a lock is not free, as during a query or a backup. */
export async function dropMonth(db: Database, month: Month): Promise<boolean> {
  try {
    await db.transaction(async tx => {
      await tx.query(lockPartitions);
      await tx.query(limitLock, [String(lockMs)]);
      for (const table of partitionedTables)
        await tx.query(unprepared(`drop table if exists ${toTableName(month, table)}`));
    });
    return true;
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  }
}

const everyMonth = sql(
  'scans-every-month',
  `select distinct replace(right(c.relname, 7), '_', '-') as month
     from unnest($1::text[]) as parent
     join pg_inherits i on i.inhparent = to_regclass(parent) join pg_class c on c.oid = i.inhrelid
    order by 1`,
);

const limitLock = sql('scans-limit-lock', `select set_config('lock_timeout', $1, true)`);
