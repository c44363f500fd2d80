import { measureLag, type ShardLag } from '../ingest/lag/lag.ts';
import { isSolo } from '../kernel/addresses/engine-address.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';
import { createLogMeter } from '../scans/log/meter.ts';
import type { DoctorContext } from './context.ts';
import { describeError, notChecked, type Outcome, ok, problem, warning } from './finding.ts';
import { checkSolo } from './solo.ts';
import { postgresClock } from './stores.ts';

const [lateSeconds, veryLateSeconds, silentSeconds] = [30, 600, 10];

/** How far ingest is behind the scan log, and whether one is running. */
export async function checkLag({ config, postgres, logNats }: DoctorContext): Promise<readonly Outcome[]> {
  if (isSolo(config) && 'db' in postgres) return [await checkSolo(postgres.db)];
  if (!('db' in postgres) || !('connection' in logNats))
    return [notChecked('PostgreSQL or NATS cannot be reached')];
  const meter = createLogMeter(() => logNats.connection);
  try {
    const [now] = await postgres.db.query<{ ms: number }>(postgresClock);
    const lags = await measureLag(postgres.db, meter, now!.ms);
    if (lags.length === 0) return [(await hasCounted(postgres.db)) ? lostLog() : noLog()];
    return lags.flatMap(lag => [assessLag(lag), ...assessReplacedLog(lag)]);
  } catch (error) {
    return [
      warning(`the scan log cannot be read: ${describeError(error)}`, 'Check NATS, then run this again.'),
    ];
  }
}

const noLog = () =>
  warning('there is no scan log yet', 'A redirect creates the log when it first starts: start one.');

const lostLog = () =>
  problem(
    'this installation has counted scans, but its NATS has no scan log',
    'Is NATS_URL the right server, and is its store (`store_dir`) still there? Start it with that store. If the store is lost, start a redirect: it creates a new log. See docs/self-hosting/runbooks/log-replaced.md.',
  );

const hasCounted = async (db: Database) => (await db.query(anyPosition)).length > 0;

const anyPosition = sql('doctor-any-position', 'select from ingest_positions where position > 0 limit 1');

export type AssessedLag = Pick<ShardLag, 'shard' | 'entries' | 'seconds' | 'silentSeconds' | 'replaced'>;

export function assessLag({ shard, entries, seconds, silentSeconds: silent }: AssessedLag): Outcome {
  const name = `shard ${shard}`;
  if (silent > silentSeconds)
    return (entries > 0 ? problem : warning)(
      `${name}: no ingest has been running for ${Math.round(silent)} s; ${entries} entries are waiting`,
      'Start `signpost ingest`, or `signpost all`. Until then, scans wait in the log, and in the spools once it is full.',
    );
  const found = `${name}: ${entries} entries behind, ${seconds.toFixed(1)} s`;
  if (seconds <= lateSeconds) return ok(found);
  const next =
    'Is PostgreSQL or ClickHouse slow or down? The log of ingest says which. See docs/self-hosting/runbooks/ingest-behind.md.';
  return seconds > veryLateSeconds ? problem(found, next) : warning(found, next);
}

const reportReplacedSeconds = 7 * 24 * 3_600;

/** A replaced log needs no action unless scans were lost with it, but the operator should know why it happened. */
export function assessReplacedLog({ shard, replaced }: AssessedLag): readonly Outcome[] {
  if (!replaced || replaced.secondsAgo > reportReplacedSeconds) return [];
  const { lostEntries, secondsAgo } = replaced;
  const found = `shard ${shard}: the scan log was replaced by another ${Math.round(secondsAgo / 60)} minutes ago`;
  return lostEntries > 0
    ? [
        warning(
          `${found}, and ${lostEntries} entries were lost`,
          'Was NATS emptied, or restored to an older state? See docs/self-hosting/runbooks/log-replaced.md.',
        ),
      ]
    : [ok(`${found}; it is read from its beginning, and nothing was lost`)];
}
