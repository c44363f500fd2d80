import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Config } from '../config/config.ts';
import { moveScans } from '../ingest/moving/move-scans.ts';
import { AppError } from '../kernel/errors.ts';
import type { Print } from '../kernel/print.ts';
import { createLifecycle, type Lifecycle } from '../kernel/running/lifecycle.ts';
import { migrateClickHouse } from '../platform/clickhouse/clickhouse-migrations.ts';
import { needsDirect } from '../platform/postgres/pooler.ts';
import {
  createPostgres,
  type Database,
  isLockTimeout,
  sql,
  unprepared,
} from '../platform/postgres/postgres.ts';
import { openForCommand, requirePostgres } from '../roles/engines/starting.ts';
import { claimStore, findStore } from '../scans/stores/claim.ts';
import { countRows as countCopies } from '../scans/stores/clickhouse/stored-months.ts';
import { listMonths } from '../scans/stores/postgres/partitions.ts';
import { countRows, hasRows, measureRows, removeAllRows } from '../scans/stores/postgres/stored-rows.ts';

export const moveScansUsage = `signpost move-scans [--to URL] [--dry-run]
                                         copies the scans from PostgreSQL to ClickHouse (--to or CLICKHOUSE_URL) while
                                         everything runs, compares them, and switches; --dry-run only counts them
signpost move-scans --drop               after the switch: removes the scans that PostgreSQL still has`;

/** Moves the scans of an installation that has outgrown PostgreSQL alone. */
export async function runMoveScans(args: readonly string[], config: Config, print: Print): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { to: { type: 'string' }, 'dry-run': { type: 'boolean' }, drop: { type: 'boolean' } },
  });
  const { to = config.clickhouseUrl, drop = false, 'dry-run': dryRun = false } = values;
  if (!/^https?:\/\//.test(to))
    throw usage(
      'Name the ClickHouse with --to or CLICKHOUSE_URL, as http://user:password@host:8123/database.',
    );
  if (drop && dryRun) throw usage('Say either --drop or --dry-run.');
  const lifecycle = createLifecycle();
  try {
    const db = await openDatabase(config, lifecycle);
    const clickhouse = await openForCommand(to);
    lifecycle.defer('clickhouse', () => clickhouse.close());
    const store = await findStore(db);
    if (drop) {
      if (store !== 'clickhouse')
        throw new Error('The scans are in PostgreSQL, and nowhere else. Run `signpost move-scans` first.');
      return await dropRows(db, await countCopies(clickhouse), print);
    }
    if (store === 'clickhouse')
      throw new Error(
        'The scans are in ClickHouse already. `signpost move-scans --drop` removes what PostgreSQL still has.',
      );
    if (dryRun) return await printCounts(db, print);
    await claimStore(db, 'postgres');
    const { scans, months, pausedMs } = await alone(config, async () => {
      await migrateClickHouse(clickhouse, name => print(`applied ${name} to ClickHouse`));
      return moveScans({ db, clickhouse, target: toName(to), print });
    });
    print(
      `${scans} scans of ${months} months are in ClickHouse. Both stores agree by code and month. Counting paused for ${(pausedMs / 1_000).toFixed(1)} s.`,
    );
    print(
      `Now set CLICKHOUSE_URL to ${toName(to)} for every process except redirects, and restart them. Until then scans`,
    );
    print('wait in their log, figures stand still, and redirects work as before.');
    print(
      `PostgreSQL still has its copy (${await describeSize(db)}, also in backups): \`signpost move-scans --drop\``,
    );
    print('removes it.');
  } finally {
    await lifecycle.close();
  }
}

/** Connections of its own: one pauses counting, one reads, one writes down what is copied. */
async function openDatabase(config: Config, lifecycle: Lifecycle): Promise<Database> {
  const { databaseUrl, databaseDirectUrl } = config;
  if (config.databasePooler === 'transaction' && databaseDirectUrl === databaseUrl)
    throw new Error(needsDirect);
  await requirePostgres(config);
  const db = createPostgres(
    {
      databaseUrl: databaseDirectUrl,
      databasePooler: 'none',
      databasePoolSize: 4,
      databaseTimeoutMs: 600_000,
    },
    () => undefined,
  );
  lifecycle.defer('postgres', () => db.close());
  return db;
}

/** Two at once would send the same insert at the same time. */
async function alone<Result>(config: Config, work: () => Promise<Result>): Promise<Result> {
  const connection = {
    databaseUrl: config.databaseDirectUrl,
    databasePooler: 'none',
    databasePoolSize: 1,
  } as const;
  const db = createPostgres({ ...connection, databaseTimeoutMs: maxMoveMs }, () => undefined);
  try {
    return await db.transaction(async tx => {
      // A command that was killed a moment ago may still have it.
      for (let attempt = 0; !(await tx.query<{ taken: boolean }>(takeTurn))[0]!.taken; attempt++) {
        if (attempt === 10)
          throw new Error('Another `signpost move-scans` is at work. Wait until it has ended.');
        await pause(500);
      }
      return await work();
    });
  } finally {
    await db.close();
  }
}

const maxMoveMs = 24 * 60 * 60 * 1000;
const takeTurn = sql('move-scans-turn', `select pg_try_advisory_xact_lock(hashtext('move scans')) as taken`);

async function printCounts(db: Database, print: Print): Promise<void> {
  let total = 0;
  for (const month of await listMonths(db)) {
    const rows = await countRows(db, month);
    total += rows;
    print(`${month}  ${rows} scans`);
  }
  print(`${total} scans would be copied (${await describeSize(db)} in PostgreSQL). Nothing was changed.`);
}

async function dropRows(db: Database, copied: number, print: Print): Promise<void> {
  const size = await describeSize(db);
  if (copied === 0 && (await hasRows(db)))
    throw new Error(
      'That ClickHouse has no scans: is it the one that they were moved to? Nothing was removed.',
    );
  await db
    .transaction(async tx => {
      await tx.query(unprepared(`set local lock_timeout = '5s'`));
      await removeAllRows(tx);
    })
    .catch(error => {
      if (!isLockTimeout(error)) throw error;
      throw new Error(
        'A query is reading the scans in PostgreSQL: has every process been restarted with CLICKHOUSE_URL? Run this again.',
        { cause: error },
      );
    });
  print(`Removed ${size} of scans from PostgreSQL.`);
}

const describeSize = async (db: Database) => `${((await measureRows(db)) / 1024 / 1024).toFixed(0)} MB`;

/** Without user and password. */
function toName(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

const usage = (reason: string) => new AppError('invalid_request', `${reason}\n\n${moveScansUsage}`);
