import { createSpoolsLeft, type ListedSpool } from '../scans/spool/left-behind.ts';
import type { DoctorContext } from './context.ts';
import { describeError, notChecked, type Outcome, ok, warning } from './finding.ts';

/** Scans on the disks of redirects that no longer run. */
export async function checkSpoolsLeft({
  postgres,
}: Pick<DoctorContext, 'postgres'>): Promise<Outcome | readonly Outcome[]> {
  if (!('db' in postgres)) return notChecked('PostgreSQL cannot be reached');
  try {
    const left = await createSpoolsLeft(postgres.db).list();
    return left.length > 0 ? left.map(assessSpool) : ok('no redirect has left scans behind');
  } catch (error) {
    return warning(`not checked: ${describeError(error)}`, 'Run `signpost migrate`, then run this again.');
  }
}

const assessSpool = ({ host, directory, scans, leftSecondsAgo }: ListedSpool): Outcome =>
  warning(
    `${host} stopped ${Math.round(leftSecondsAgo)} s ago and left ${scans} scans in ${directory}`,
    `Start a redirect on that disk again, or run \`signpost spool drain --dir ${directory}\` there.`,
  );
