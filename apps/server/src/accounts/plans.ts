import { type Database, sql } from '../platform/postgres/postgres.ts';
import { type ListedPlan, type PlanRow, planColumns, toPlan } from './account.ts';

/** The smallest first. */
export async function listPlans(db: Database): Promise<ListedPlan[]> {
  const rows = await db.query<PlanRow & { accounts: number; members: number | null }>(selectPlans);
  return rows.map(row => ({ ...toPlan(row), accounts: row.accounts, members: row.members }));
}

const selectPlans = sql(
  'operator-list-plans',
  `select ${planColumns}, p.members, (select count(*) from accounts a where a.plan = p.name and a.closed_at is null) as accounts
     from plans p order by p.requests_per_minute, p.name`,
);
