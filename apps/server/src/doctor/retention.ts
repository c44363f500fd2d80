import { sql } from '../platform/postgres/postgres.ts';
import type { DoctorContext } from './context.ts';
import { describeError, notChecked, type Outcome, ok, warning } from './finding.ts';

type Found = { readonly retainedFrom: string | null; readonly isLate: boolean };

/** Whether old months of scans are removed as SCAN_RETENTION_MONTHS says. */
export async function checkRetention({ config, postgres }: DoctorContext): Promise<Outcome> {
  if (!('db' in postgres)) return notChecked('PostgreSQL cannot be reached');
  const months = config.scanRetentionMonths;
  try {
    const [found] = await postgres.db.query<Found>(findRetention, [months]);
    return assessRetention(months, found!);
  } catch (error) {
    return warning(describeError(error), 'Run `signpost migrate`, then run this again.');
  }
}

export function assessRetention(months: number | null, { retainedFrom, isLate }: Found): Outcome {
  const removed =
    retainedFrom === null ? 'none was removed so far' : `those before ${retainedFrom} were removed`;
  if (months === null) return ok(`scans are kept until their code is deleted; ${removed}`);
  const found = `scans of this month and the ${months} before it are kept; ${removed}`;
  return isLate
    ? warning(
        `${found}; older ones were due to go more than a day ago`,
        'Run `signpost ingest` (or `all`, or `solo`) with the same SCAN_RETENTION_MONTHS. If it runs, look in its log for "remove old months".',
      )
    : ok(found);
}

const findRetention = sql(
  'doctor-retention',
  `select case when removed_from is not null then retained_from end as "retainedFrom",
          coalesce(counted_from < to_char((now() - interval '1 day') at time zone 'UTC' - $1::integer * interval '1 month',
                                          'YYYY-MM'), false) as "isLate"
     from scan_retention`,
);
