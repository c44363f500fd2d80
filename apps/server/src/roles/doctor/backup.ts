import { type LastBackup, lastBackup } from '../../backup/record.ts';
import { type Outcome, ok, warning, wordsOf } from './finding.ts';
import type { Patient } from './patient.ts';

const hour = 3_600;
/** As the alerts: a nightly backup may take two hours; a new service has a week to set one up. */
const [lateSeconds, missingSeconds] = [26 * hour, 7 * 24 * hour];

/** Whether there is a whole backup, and how old it is. */
export async function checkBackup({ postgres }: Patient): Promise<Outcome> {
  if (!('db' in postgres)) return warning('not looked at, since PostgreSQL is not reached', 'See above.');
  try {
    return judgeBackup(await lastBackup(postgres.db));
  } catch (error) {
    return warning(wordsOf(error), 'Run `signpost migrate`, then look again.');
  }
}

const next =
  'Run `signpost backup --into DIR --keep 14` every night; if you back up by other means, end with `signpost backup --record`. See docs/runbooks/backup-late.md.';

export function judgeBackup(last: LastBackup): Outcome {
  if (last.kind === 'none')
    return last.waitingSeconds > missingSeconds
      ? warning('none has ever been recorded', next)
      : ok('none has been recorded yet; set one up within a week of the start');
  const { kind, finishedAt, ageSeconds, bytes } = last;
  const size = bytes === null ? '' : `, ${(bytes / 1e6).toFixed(1)} MB`;
  const found = `the last is of ${finishedAt.toISOString()}, ${Math.round(ageSeconds / hour)} h ago (${kind}${size})`;
  return ageSeconds > lateSeconds ? warning(found, next) : ok(found);
}
