import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { recordBackup } from '../backup/record.ts';
import { type RestoredRows, restoreBackup } from '../backup/restoring.ts';
import { removeOutdated, takeInto } from '../backup/series.ts';
import { takeBackup } from '../backup/taking.ts';
import type { Config } from '../config/config.ts';
import { AppError } from '../kernel/errors.ts';
import type { Print } from '../kernel/print.ts';
import { createLifecycle, type Lifecycle } from '../kernel/running/lifecycle.ts';
import { connect } from '../platform/clickhouse/clickhouse.ts';
import { checkEngineThoroughly, checkMigrated } from '../platform/diagnosis/engine-checks.ts';
import { EngineUnusableError } from '../platform/diagnosis/engine-diagnosis.ts';
import { measureDatabaseClock } from '../platform/postgres/database-clock.ts';
import { needsDirect } from '../platform/postgres/pooler.ts';
import { createPostgres } from '../platform/postgres/postgres.ts';
import { openForCommand, requirePostgres } from '../roles/engines/starting.ts';

export const backupUsage = `signpost backup DIR [--with-salts]       a consistent backup of PostgreSQL, and of ClickHouse if there is one
signpost backup --into DIR [--keep N]    the same, in a directory named after the time; keeps the newest N
signpost backup --record                 records a backup that was made with other tools
signpost restore DIR                     restores a backup into empty databases`;

export async function runBackup(args: readonly string[], config: Config, print: Print): Promise<void> {
  const options = {
    'with-salts': { type: 'boolean' },
    into: { type: 'string' },
    keep: { type: 'string' },
    record: { type: 'boolean' },
  } as const;
  const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options });
  const { into, keep, 'with-salts': withSalts = false, record: recordOnly = false } = values;
  const [directory] = positionals;
  if (recordOnly) {
    if (args.length > 1) throw usage('--record takes no other argument: it makes no backup.');
    return recordExternalBackup(config, print);
  }
  if ((directory === undefined) === (into === undefined))
    throw usage('Say where to write the backup: DIR or --into DIR.');
  if (keep !== undefined && (into === undefined || !/^[1-9]\d*$/.test(keep)))
    throw usage('--keep must be a whole number above 0, and needs --into.');
  await withEngines(config, openForBackup, async engines => {
    const take = (dir: string) => takeBackup({ ...engines, dir, withSalts, print });
    const { totals, files, takenAt } = await (into === undefined
      ? take(resolve(directory!))
      : takeInto(resolve(into), (await measureDatabaseClock(engines.db)).now(), take));
    const rows = files.reduce((sum, file) => sum + file.rows, 0);
    const stored = engines.client ? `, ${rows} rows` : '';
    print(`As of ${takenAt}: ${totals.codes} codes, ${totals.scans} scans counted${stored}.`);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    // The backup is complete without the record, and an alert fires if none is recorded.
    await recordBackup(engines.db, 'full', bytes).catch((error: Error) =>
      print(
        `The backup is complete, but it could not be recorded: ${error.message}. Run \`signpost backup --record\`.`,
      ),
    );
  });
  if (into === undefined || keep === undefined) return;
  for (const name of await removeOutdated(resolve(into), Number(keep))) print(`Removed ${name}.`);
}

/** Needs only PostgreSQL: ClickHouse may be out of reach where this runs. */
async function recordExternalBackup(config: Config, print: Print): Promise<void> {
  const fault = await checkEngineThoroughly(
    'postgres',
    config.databaseUrl,
    checkMigrated(config.databasePooler),
    6_000,
  );
  if (fault) throw new EngineUnusableError([fault]);
  const db = createPostgres({ ...config, databasePoolSize: 1, databaseTimeoutMs: 10_000 }, () => undefined);
  try {
    await recordBackup(db, 'recorded', null);
  } finally {
    await db.close();
  }
  print('Recorded a complete backup as of now.');
}

export async function runRestore(args: readonly string[], config: Config, print: Print): Promise<void> {
  const { positionals } = parseArgs({ args: [...args], allowPositionals: true });
  const [dir] = positionals;
  if (!dir) throw usage('Say which backup to restore.');
  await withEngines(config, openForRestore, async engines => {
    const { totals, rows, reconciled } = await restoreBackup({ ...engines, dir: resolve(dir), print });
    print(`${totals.codes} codes, ${totals.scans} scans counted, ${rows} rows.`);
    if (reconciled > 0) print(`Counts of ${reconciled} codes were corrected from their scans.`);
    print(
      'Scans that are only in the scan log are counted when ingest starts, whether it is the same log or another.',
    );
  });
}

async function withEngines<Engines, Result>(
  config: Config,
  open: (config: Config, lifecycle: Lifecycle) => Promise<Engines>,
  work: (engines: Engines) => Promise<Result>,
): Promise<Result> {
  const lifecycle = createLifecycle();
  try {
    return await work(await open(config, lifecycle));
  } finally {
    await lifecycle.close();
  }
}

async function openPostgres(config: Config, lifecycle: Lifecycle) {
  const { databaseUrl, databaseDirectUrl } = config;
  if (config.databasePooler === 'transaction' && databaseDirectUrl === databaseUrl)
    throw new Error(needsDirect);
  await requirePostgres(config);
  // A restored table may be large, and no request waits for these statements.
  const db = createPostgres(
    {
      databaseUrl: databaseDirectUrl,
      databasePooler: 'none',
      databasePoolSize: 2,
      databaseTimeoutMs: 600_000,
    },
    () => undefined,
  );
  lifecycle.defer('postgres', () => db.close());
  return { databaseUrl: databaseDirectUrl, db };
}

async function openClickHouse({ clickhouseUrl }: Config, lifecycle: Lifecycle): Promise<RestoredRows> {
  const clickhouse = await openForCommand(clickhouseUrl);
  lifecycle.defer('clickhouse', () => clickhouse.close());
  const client = await connect(clickhouseUrl);
  lifecycle.defer('clickhouse files', () => client.close());
  return { clickhouse, client };
}

const openForBackup = async (config: Config, lifecycle: Lifecycle) => ({
  ...(await openPostgres(config, lifecycle)),
  client: config.clickhouseUrl === '' ? null : (await openClickHouse(config, lifecycle)).client,
});

const openForRestore = async (config: Config, lifecycle: Lifecycle) => ({
  ...(await openPostgres(config, lifecycle)),
  rowStore: config.clickhouseUrl === '' ? null : await openClickHouse(config, lifecycle),
});

const usage = (reason: string) => new AppError('invalid_request', `${reason}\n\n${backupUsage}`);
