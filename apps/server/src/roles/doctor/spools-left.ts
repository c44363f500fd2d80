import { createSpoolsLeft, type ListedSpool } from '../../scans/spools-left.ts';
import { type Outcome, ok, warning, wordsOf } from './finding.ts';
import type { Patient } from './patient.ts';

/** Scans on the disks of redirects that do not run any more. */
export async function checkSpoolsLeft({
  postgres,
}: Pick<Patient, 'postgres'>): Promise<Outcome | readonly Outcome[]> {
  if (!('db' in postgres)) return warning('not looked at, since PostgreSQL is not reached', 'See above.');
  try {
    const left = await createSpoolsLeft(postgres.db).list();
    return left.length > 0 ? left.map(judgeLeft) : ok('no redirect has left scans behind');
  } catch (error) {
    return warning(`cannot be looked at: ${wordsOf(error)}`, 'Run `signpost migrate`, then look again.');
  }
}

const judgeLeft = ({ host, directory, scans, leftSecondsAgo }: ListedSpool): Outcome =>
  warning(
    `${host} stopped ${Math.round(leftSecondsAgo)} s ago and left ${scans} scans in ${directory}`,
    `Start a redirect on that disk again, or run \`signpost spool drain --dir ${directory}\` there.`,
  );
