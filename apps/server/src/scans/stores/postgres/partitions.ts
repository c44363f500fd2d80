import { type Database, isLockTimeout, sql, unprepared } from '../../../platform/postgres/postgres.ts';
import { type Month, nextMonth, toMonth } from '../month.ts';

/** The tables with a partition per month of UTC. A month is created, and goes, in all of them at once. */
export const monthlyTables = ['scans', 'scan_quarters', 'scan_repeats', 'scan_days'] as const;
type MonthlyTable = (typeof monthlyTables)[number];

/** The months that have partitions. */
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
          if ((await tx.query(findPartition, [toTableName('scans', month)])).length > 0) return;
          for (const table of monthlyTables)
            for (const statement of createPartition(table, month)) await tx.query(statement);
        });
        known.add(month);
      }
    },
  };
}

const toTableName = (table: MonthlyTable, month: Month) => `${table}_${month.replace('-', '_')}`;

/**
 * A partition has its own limits for autovacuum: erased rows leave the disk soon, whatever the size of the month. Counts
 * are changed in place where their block has room.
 */
const storage: Readonly<Record<MonthlyTable, string>> = {
  scans: 'autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100',
  scan_quarters: 'fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000',
  scan_repeats: 'fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000',
  scan_days: 'fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000',
};

const alterTable: Readonly<Record<MonthlyTable, string>> = {
  scans: 'alter table scans',
  scan_quarters: 'alter table scan_quarters',
  scan_repeats: 'alter table scan_repeats',
  scan_days: 'alter table scan_days',
};

/** Attached and not created in place: that would wait for every query of the table, and everything else for it. */
function createPartition(parent: MonthlyTable, month: Month) {
  const start = (of: string) => `'${of}-01 00:00:00+00'`;
  const table = toTableName(parent, month);
  return [
    sql(`create-${table}`, `create table ${table} (like ${parent} including all) with (${storage[parent]})`),
    sql(
      `attach-${table}`,
      `${alterTable[parent]} attach partition ${table} for values from (${start(month)}) to (${start(nextMonth(month))})`,
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

/** The longest that a drop waits for its lock: counting queues behind it. */
const lockMs = 200;

/** The months that have a partition, the oldest first. */
export async function listMonths(db: Database): Promise<readonly Month[]> {
  return (await db.query<{ month: Month }>(everyMonth, [monthlyTables])).map(({ month }) => month);
}

/** Drops a month of every table. False if a lock is not free, as during a query or a backup. */
export async function dropMonth(db: Database, month: Month): Promise<boolean> {
  try {
    await db.transaction(async tx => {
      await tx.query(lockPartitions);
      await tx.query(limitLock, [String(lockMs)]);
      for (const table of monthlyTables)
        await tx.query(unprepared(`drop table if exists ${toTableName(table, month)}`));
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
