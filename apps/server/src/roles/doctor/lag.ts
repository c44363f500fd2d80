import { measureLag, type ShardLag } from '../../ingest/lag.ts';
import { createLogMeter } from '../../scans/log-meter.ts';
import { type Outcome, ok, problem, warning, wordsOf } from './finding.ts';
import type { Patient } from './patient.ts';
import { postgresClock } from './stores.ts';

const [lateSeconds, veryLateSeconds, silentSeconds] = [30, 600, 10];

/** How far the counts are behind the scans, and whether somebody works on it. */
export async function checkLag({ postgres, nats }: Patient): Promise<readonly Outcome[]> {
  if (!('db' in postgres) || !('connection' in nats))
    return [warning('not looked at, since PostgreSQL or NATS is not reached', 'See above.')];
  const meter = createLogMeter(() => nats.connection);
  try {
    const [now] = await postgres.db.query<{ ms: number }>(postgresClock);
    const lags = await measureLag(postgres.db, meter, now!.ms);
    return lags.length > 0 ? lags.flatMap(lag => [judgeLag(lag), ...judgeReplaced(lag)]) : [noLog()];
  } catch (error) {
    return [
      warning(`the scan log cannot be looked at: ${wordsOf(error)}`, 'Look at NATS, then run this again.'),
    ];
  }
}

const noLog = () =>
  warning(
    'there is no scan log yet',
    'A redirect makes the log when it starts for the first time: start one.',
  );

export type Judged = Pick<ShardLag, 'shard' | 'entries' | 'seconds' | 'silentSeconds' | 'replaced'>;

export function judgeLag({ shard, entries, seconds, silentSeconds: silent }: Judged): Outcome {
  const name = `shard ${shard}`;
  if (silent > silentSeconds)
    return (entries > 0 ? problem : warning)(
      `${name}: nobody has worked on it for ${Math.round(silent)} s; ${entries} entries wait`,
      'Start `signpost ingest`, or `signpost all`. Until then scans wait in the log, and in the spools when it is full.',
    );
  const found = `${name}: ${entries} entries behind, ${seconds.toFixed(1)} s`;
  if (seconds <= lateSeconds) return ok(found);
  const next =
    'Is PostgreSQL or ClickHouse slow or away? The log of ingest says which. See docs/runbooks/ingest-behind.md.';
  return seconds > veryLateSeconds ? problem(found, next) : warning(found, next);
}

const tellReplacedSeconds = 7 * 24 * 3_600;

/** A log that was replaced is nothing to act on, but it is worth knowing why; scans that went with it are. */
export function judgeReplaced({ shard, replaced }: Judged): readonly Outcome[] {
  if (!replaced || replaced.secondsAgo > tellReplacedSeconds) return [];
  const { lostEntries, secondsAgo } = replaced;
  const found = `shard ${shard}: the scan log was replaced by another ${Math.round(secondsAgo / 60)} minutes ago`;
  return lostEntries > 0
    ? [
        warning(
          `${found}, and ${lostEntries} entries of it are lost`,
          'Was NATS emptied, or put back to an older state? See docs/runbooks/other-log.md.',
        ),
      ]
    : [ok(`${found}; it is read from its beginning, and nothing that was seen in the old one is lost`)];
}
