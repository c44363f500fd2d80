import { sql } from '../platform/postgres/postgres.ts';
import type { DoctorContext } from './context.ts';
import { describeError, notChecked, type Outcome, ok, warning } from './finding.ts';

/** Whether old events of the audit log are removed as AUDIT_DAYS says. */
export async function checkAuditLog({
  config: { auditDays },
  postgres,
}: Pick<DoctorContext, 'config' | 'postgres'>): Promise<Outcome> {
  if (!('db' in postgres)) return notChecked('PostgreSQL cannot be reached');
  try {
    const late = await postgres.db.query(findLate, [auditDays]);
    const found = `events are kept for ${auditDays} days`;
    if (late.length === 0) return ok(found);
    return warning(
      `${found}, and some were due to go more than a day ago`,
      'Run `signpost api` (or `all`, or `solo`) with the same AUDIT_DAYS. If it runs, look in its log for "audit events".',
    );
  } catch (error) {
    return warning(describeError(error), 'Run `signpost migrate`, then run this again.');
  }
}

const findLate = sql(
  'doctor-late-audit-events',
  'select 1 from audit_events where at < now() - make_interval(days => $1 + 1) limit 1',
);
