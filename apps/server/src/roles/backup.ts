import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { recordBackup } from '../backup/record.ts';
import { restoreBackup } from '../backup/restoring.ts';
import { removeOutdated, takeInto } from '../backup/series.ts';
import { takeBackup } from '../backup/taking.ts';
import type { Config } from '../config.ts';
import { AppError } from '../kernel/errors.ts';
import { createLifecycle, type Lifecycle } from '../kernel/lifecycle.ts';
import { connect } from '../platform/clickhouse.ts';
import { measuredClock } from '../platform/database-clock.ts';
import { askMigrated, faultOf } from '../platform/engine-checks.ts';
import { EngineFaultError } from '../platform/engine-faults.ts';
import { needsDirect } from '../platform/pooler.ts';
import { createPostgres } from '../platform/postgres.ts';
import type { Print } from './print.ts';
import { openForCommand, requirePostgres } from './starting.ts';

export const backupUsage = `signpost backup DIR [--with-salts]       writes PostgreSQL and ClickHouse as of one moment
signpost backup --into DIR [--keep N]    the same, named by its moment; removes what is older than the newest N
signpost backup --record                 tells the metrics that a backup by other means is whole
signpost restore DIR                     puts a backup into empty engines`;

export async function runBackup(args: readonly string[], config: Config, print: Print): Promise<void> {
  const options = {
    'with-salts': { type: 'boolean' },
    into: { type: 'string' },
    keep: { type: 'string' },
    record: { type: 'boolean' },
  } as const;
  const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options });
  const { into, keep, 'with-salts': withSalts = false, record: byOthers = false } = values;
  const [named] = positionals;
  if (byOthers) {
    if (args.length > 1) throw usage('--record stands alone: it takes no backup.');
    return recordOther(config, print);
  }
  if ((named === undefined) === (into === undefined)) throw usage('Say where to put the backup.');
  if (keep !== undefined && (into === undefined || !/^[1-9]\d*$/.test(keep)))
    throw usage('--keep is a number from 1 on, and goes with --into.');
  await withEngines(config, async engines => {
    const take = (dir: string) => takeBackup({ ...engines, dir, withSalts, print });
    const { totals, files, takenAt } = await (into === undefined
      ? take(resolve(named!))
      : takeInto(resolve(into), (await measuredClock(engines.db)).now(), take));
    const rows = files.reduce((sum, file) => sum + file.rows, 0);
    print(`As of ${takenAt}: ${totals.codes} codes, ${totals.scans} scans counted, ${rows} rows.`);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    // Whole it is without this, and the alert tells if it stays unknown.
    await recordBackup(engines.db, 'full', bytes).catch((error: Error) =>
      print(`The backup is whole, but not recorded: ${error.message}. Run \`signpost backup --record\`.`),
    );
  });
  if (into === undefined || keep === undefined) return;
  for (const name of await removeOutdated(resolve(into), Number(keep))) print(`Removed ${name}.`);
}

/** For backups by other means. It needs PostgreSQL alone: ClickHouse may be out of reach here. */
async function recordOther(config: Config, print: Print): Promise<void> {
  const fault = await faultOf('postgres', config.databaseUrl, askMigrated(config.databasePooler), 6_000);
  if (fault) throw new EngineFaultError([fault]);
  const db = createPostgres({ ...config, databasePoolSize: 1, databaseTimeoutMs: 10_000 }, () => undefined);
  try {
    await recordBackup(db, 'recorded', null);
  } finally {
    await db.close();
  }
  print('Recorded: a backup is whole as of now.');
}

export async function runRestore(args: readonly string[], config: Config, print: Print): Promise<void> {
  const { positionals } = parseArgs({ args: [...args], allowPositionals: true });
  const [dir] = positionals;
  if (!dir) throw usage('Say which backup to restore.');
  await withEngines(config, async engines => {
    const { totals, rows, reconciled } = await restoreBackup({ ...engines, dir: resolve(dir), print });
    print(`${totals.codes} codes, ${totals.scans} scans counted, ${rows} rows.`);
    if (reconciled > 0) print(`Counts of ${reconciled} codes were set to their rows.`);
    print(
      'What the scan log has besides is counted when ingest starts, whether it is the same log or another.',
    );
  });
}

async function withEngines<Result>(
  config: Config,
  work: (engines: Awaited<ReturnType<typeof open>>) => Promise<Result>,
): Promise<Result> {
  const lifecycle = createLifecycle();
  try {
    return await work(await open(config, lifecycle));
  } finally {
    await lifecycle.close();
  }
}

async function open(config: Config, lifecycle: Lifecycle) {
  const { databaseUrl, databaseDirectUrl } = config;
  if (config.databasePooler === 'transaction' && databaseDirectUrl === databaseUrl)
    throw new Error(needsDirect);
  await requirePostgres(config);
  // A restored table may be large, and nobody waits for these statements.
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
  const clickhouse = await openForCommand(config.clickhouseUrl);
  lifecycle.defer('clickhouse', () => clickhouse.close());
  const client = await connect(config.clickhouseUrl);
  lifecycle.defer('clickhouse files', () => client.close());
  return { databaseUrl: databaseDirectUrl, db, clickhouse, client };
}

const usage = (reason: string) => new AppError('invalid_request', `${reason}\n\n${backupUsage}`);
