import { type LastBackup, lastBackup } from '../backup/record.ts';
import type { DoctorContext } from './context.ts';
import { describeError, notChecked, type Outcome, ok, warning } from './finding.ts';

const hour = 3_600;
/** The same thresholds as the alerts: a nightly backup may take two hours, and a new service has a week to set one up. */
const [lateSeconds, missingSeconds] = [26 * hour, 7 * 24 * hour];

/** Whether there is a complete backup, and how old it is. */
export async function checkBackup({ postgres }: DoctorContext): Promise<Outcome> {
  if (!('db' in postgres)) return notChecked('PostgreSQL cannot be reached');
  try {
    return assessBackup(await lastBackup(postgres.db));
  } catch (error) {
    return warning(describeError(error), 'Run `signpost migrate`, then run this again.');
  }
}

const next =
  'Run `signpost backup --into DIR --keep 14` every night; if you back up with other tools, run `signpost backup --record` after each. See docs/self-hosting/runbooks/backup-late.md.';

export function assessBackup(last: LastBackup): Outcome {
  if (last.kind === 'none')
    return last.waitingSeconds > missingSeconds
      ? warning('none has been recorded for a week', next)
      : warning('none has been recorded yet', next);
  const { kind, finishedAt, ageSeconds, bytes } = last;
  const size = bytes === null ? '' : `, ${(bytes / 1e6).toFixed(1)} MB`;
  const found = `the last finished at ${finishedAt.toISOString()}, ${Math.round(ageSeconds / hour)} h ago (${kind}${size})`;
  return ageSeconds > lateSeconds ? warning(found, next) : ok(found);
}
