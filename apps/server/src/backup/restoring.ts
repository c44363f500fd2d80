import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseShards } from '../ingest/after-restore.ts';
import type { ClickHouse } from '../platform/clickhouse/clickhouse.ts';
import { migrateClickHouse } from '../platform/clickhouse/clickhouse-migrations.ts';
import { migrate } from '../platform/postgres/migrations.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';
import { renumberStops } from '../redirect/changes/stops/stop-writer.ts';
import { recordLog } from '../scans/log/known-logs.ts';
import { endRestoredLinks } from '../users/recovery/after-restore.ts';
import { copiedTables, dumpName, type Manifest, manifestName, type Totals } from './backup.ts';
import { restorePostgres } from './postgres-dump.ts';
import { reconcile } from './reconcile.ts';
import { recordBackup } from './record.ts';
import { type Client, loadRows } from './row-files.ts';
import { hashFile } from './taking.ts';

export type RestoringParts = {
  readonly databaseUrl: string;
  readonly db: Database;
  /** Null where the scans are in the dump. */
  readonly rowStore: RestoredRows | null;
  readonly dir: string;
  readonly print: (line: string) => void;
};

/** Where files of rows are restored to. */
export type RestoredRows = {
  readonly clickhouse: ClickHouse;
  readonly client: Client;
};

export type Restored = {
  readonly totals: Totals;
  readonly rows: number;
  readonly reconciled: number;
};

/** Restores a backup into an empty database, and an empty ClickHouse if it has the scans, and migrates them to this version. */
export async function restoreBackup(parts: RestoringParts): Promise<Restored> {
  const { databaseUrl, db, rowStore, dir, print } = parts;
  const manifest = await readManifest(dir);
  assertSameStore(manifest, rowStore);
  await assertEmpty(db, rowStore);
  await restorePostgres(databaseUrl, join(dir, dumpName));
  print('PostgreSQL is restored.');
  const applied = await migrate(databaseUrl);
  if (rowStore) applied.push(...(await migrateClickHouse(rowStore.clickhouse)));
  if (applied.length > 0) print(`Applied ${applied.join(', ')}.`);
  for (const { name, table, rows } of manifest.files) {
    if (table === null || !rowStore) continue;
    await loadRows(rowStore.client, table, dir, name);
    print(`ClickHouse has ${rows} rows of ${name}.`);
  }
  for (const { shard, createdAt } of manifest.logs) if (createdAt) await recordLog(db, shard, 0, createdAt);
  await releaseShards(db);
  await endRestoredLinks(db);
  await renumberStops(db);
  if (rowStore) await assertAllRows(rowStore.clickhouse, manifest);
  // The dump cannot contain its own backup, which has just been verified. It is as old as the data.
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  await recordBackup(db, 'full', bytes, manifest.takenAt);
  const reconciled = rowStore ? await reconcile(db, rowStore.clickhouse) : 0;
  const [totals] = await db.query<Totals & { rows: number }>(sumOfCounts);
  const [stored] = rowStore
    ? await rowStore.clickhouse.query<{ rows: number }>('select count() as rows from scans')
    : await db.query<{ rows: number }>(countScans);
  return { totals: totals!, rows: stored!.rows, reconciled };
}

/** Verifies the backup before anything is changed: damage must not be found halfway. */
async function readManifest(dir: string): Promise<Manifest> {
  const text = await readFile(join(dir, manifestName), 'utf8').catch(() => {
    throw new Error(`${dir} has no ${manifestName}: it is not a backup, or one that was not finished.`);
  });
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.format !== 1)
    throw new Error(`This version cannot read backups of format ${manifest.format}.`);
  for (const { name, sha256 } of manifest.files) {
    const found = await hashFile(join(dir, name)).catch(() => 'missing');
    if (found !== sha256) throw new Error(`${name} is not what was written: the backup is damaged.`);
  }
  return manifest;
}

function assertSameStore({ store = 'clickhouse' }: Manifest, rowStore: RestoredRows | null): void {
  if (store === 'clickhouse' && !rowStore)
    throw new Error('The scans of this backup were in ClickHouse. Set CLICKHOUSE_URL to an empty one.');
  if (store === 'postgres' && rowStore)
    throw new Error('The scans of this backup were in PostgreSQL. Restore it without CLICKHOUSE_URL.');
}

async function assertEmpty(db: Database, rowStore: RestoredRows | null): Promise<void> {
  const [tables] = await db.query<{ count: number }>(countTables);
  if (tables!.count > 0)
    throw new Error('The database is not empty. Make a new one (createdb) and point DATABASE_URL at it.');
  if (!rowStore) return;
  for (const { name } of copiedTables) {
    const nonEmpty = await rowStore.clickhouse.query(
      'select 1 from system.tables where database = currentDatabase() and name = {name: String} and total_rows > 0',
      { name },
    );
    if (nonEmpty.length > 0)
      throw new Error(`ClickHouse has rows in ${name}. Point CLICKHOUSE_URL at an empty database.`);
  }
}

async function assertAllRows(clickhouse: ClickHouse, { files }: Manifest): Promise<void> {
  for (const { name } of copiedTables) {
    const expected = files.filter(file => file.table === name).reduce((sum, file) => sum + file.rows, 0);
    const [found] = await clickhouse.query<{ rows: number }>(`select count() as rows from ${name}`);
    if (found?.rows !== expected)
      throw new Error(`ClickHouse has ${found?.rows} rows of ${name} instead of ${expected}.`);
  }
}

const countTables = sql(
  'backup-count-tables',
  `select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_toast'`,
);

const countScans = sql('backup-count-scans', 'select count(*) as rows from scans');

const sumOfCounts = sql(
  'backup-sum-of-counts',
  `select (select count(*) from qr_codes) as codes,
          coalesce(sum(total_scans), 0)::bigint as scans, coalesce(sum(unique_scans), 0)::bigint as uniques
     from scan_counts`,
);
