import { type Database, sql } from '../../../platform/postgres/postgres.ts';

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

const toMonth = (atMs: number) => new Date(atMs).toISOString().slice(0, 7);

const toTableName = (month: string) => `scans_${month.replace('-', '_')}`;

/** Attached and not created in place: that would wait for every query of the table, and everything else for it. */
function createPartition(table: string, month: string) {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const next = new Date(Date.UTC(year, number)).toISOString().slice(0, 7);
  const start = (of: string) => `'${of}-01 00:00:00+00'`;
  return [
    sql(`create-${table}`, `create table ${table} (like scans including all)`),
    sql(
      `attach-${table}`,
      `alter table scans attach partition ${table} for values from (${start(month)}) to (${start(next)})`,
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
