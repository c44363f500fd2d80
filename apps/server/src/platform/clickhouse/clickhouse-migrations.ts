import {
  type Applied,
  type Migration,
  readMigrations,
  selectPending,
  splitStatements,
} from '../postgres/migration-files.ts';
import type { ClickHouse } from './clickhouse.ts';

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
    for (const statement of splitStatements(migration.sql))
      await clickhouse.command(statement, {}, { timeoutMs });
    await record(clickhouse, migration);
    onApplied(migration.name);
  }
  return pending.map(migration => migration.name);
}

async function record(clickhouse: ClickHouse, { name, checksum }: Migration): Promise<void> {
  await clickhouse.command(
    'insert into schema_migrations (name, checksum) values ({name: String}, {checksum: String})',
    { name, checksum },
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
  return selectPending(await readMigrations('clickhouse'), applied);
}

const recordTable = `create table if not exists schema_migrations (
  name String comment 'The file',
  checksum String comment 'SHA-256 of the file as it was applied',
  applied_at DateTime64(3, 'UTC') default now64(3) comment 'When'
) engine = ReplacingMergeTree order by name settings fsync_after_insert = 1, fsync_part_directory = 1`;
