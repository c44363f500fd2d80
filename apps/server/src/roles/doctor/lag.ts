import { measureLag, type ShardLag } from '../../ingest/lag.ts';
import { createLogMeter } from '../../scans/log-meter.ts';
import { type Outcome, ok, problem, warning, wordsOf } from './finding.ts';
import type { Patient } from './patient.ts';

const [lateSeconds, veryLateSeconds, silentSeconds] = [30, 600, 10];

/** How far the counts are behind the scans, and whether somebody works on it. */
export async function checkLag({ config, postgres, nats }: Patient): Promise<readonly Outcome[]> {
  if (!('db' in postgres) || !('connection' in nats))
    return [warning('not looked at, since PostgreSQL or NATS is not reached', 'See above.')];
  const meter = createLogMeter(() => nats.connection);
  try {
    return (await measureLag(postgres.db, meter, config.scanShards, Date.now())).map(judgeLag);
  } catch (error) {
    return [
      warning(
        `the scan log cannot be looked at: ${wordsOf(error)}`,
        'A redirect makes the log when it starts for the first time: start one.',
      ),
    ];
  }
}

export function judgeLag({ shard, entries, seconds, silentSeconds: silent, isOtherLog }: ShardLag): Outcome {
  const name = `shard ${shard}`;
  if (isOtherLog)
    return problem(
      `${name}: the log ends before what was counted of it: it is another log, and ingest stands still`,
      'Was NATS emptied or replaced? docs/backup.md says how to begin with a new log.',
    );
  if (silent === null || silent > silentSeconds)
    return (entries > 0 ? problem : warning)(
      `${name}: nobody works on it${silent === null ? '' : `, since ${Math.round(silent)} s`}; ${entries} entries wait`,
      'Start `signpost ingest`, or `signpost all`. Scans are safe in the log for SCAN_LOG_DAYS.',
    );
  const found = `${name}: ${entries} entries behind, ${seconds.toFixed(1)} s`;
  if (seconds <= lateSeconds) return ok(found);
  const next =
    'Is PostgreSQL or ClickHouse slow or away? The log of ingest says which. See docs/runbooks/ingest-behind.md.';
  return seconds > veryLateSeconds ? problem(found, next) : warning(found, next);
}
