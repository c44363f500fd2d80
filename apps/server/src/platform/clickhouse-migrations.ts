import type { ClickHouse } from './clickhouse.ts';
import { stepFrom01 } from './from-0-1.ts';
import { type Applied, type Migration, pendingOf, readMigrations, statementsOf } from './migration-files.ts';

const timeoutMs = 60_000;

/**
 * Applies what is pending and returns the names of what it applied. ClickHouse has no transactions and takes one statement
 * a call, so each statement of a migration must be safe to run again: after a migration that was cut off, or beside another
 * migrator, it is.
 */
export async function migrateClickHouse(
  clickhouse: ClickHouse,
  onApplied: (name: string) => void = () => {},
): Promise<string[]> {
  await clickhouse.command(recordTable, {}, { timeoutMs });
  const pending = await findPending(clickhouse);
  for (const migration of pending) {
    for (const statement of statementsOf(migration.sql))
      await clickhouse.command(statement, {}, { timeoutMs });
    await record(clickhouse, migration);
    onApplied(migration.name);
  }
  return pending.map(migration => migration.name);
}

async function record(clickhouse: ClickHouse, migration: Migration): Promise<void> {
  const rows = migration.records ?? [migration];
  const names = rows.map(({ name }) => name);
  // One insert: all of them are recorded, or none is and the step is run again.
  await clickhouse.command(
    `insert into schema_migrations (name, checksum)
     select name, checksum from (select arrayJoin(arrayZip({names: Array(String)}, {checksums: Array(String)})) as row,
                                        row.1 as name, row.2 as checksum)`,
    { names, checksums: rows.map(({ checksum }) => checksum) },
    { timeoutMs },
  );
  if (migration.records)
    await clickhouse.command(
      'delete from schema_migrations where name not in {names: Array(String)}',
      { names },
      { timeoutMs },
    );
}

/** The names of the migrations that this version has and ClickHouse lacks. */
export async function pendingClickHouseMigrations(clickhouse: ClickHouse): Promise<string[]> {
  return (await findPending(clickhouse)).map(migration => migration.name);
}

async function findPending(clickhouse: ClickHouse): Promise<Migration[]> {
  const known = await clickhouse.query(
    `select 1 from system.tables where database = currentDatabase() and name = 'schema_migrations'`,
  );
  const applied =
    known.length > 0
      ? await clickhouse.query<Applied>('select name, checksum from schema_migrations final')
      : [];
  const migrations = await readMigrations('clickhouse');
  const step = await stepFrom01('clickhouse', migrations, applied);
  return step
    ? [step, ...migrations.filter(migration => !step.records?.includes(migration))]
    : pendingOf(migrations, applied);
}

const recordTable = `create table if not exists schema_migrations (
  name String comment 'The file',
  checksum String comment 'SHA-256 of the file as it was applied',
  applied_at DateTime64(3, 'UTC') default now64(3) comment 'When'
) engine = ReplacingMergeTree order by name settings fsync_after_insert = 1, fsync_part_directory = 1`;
