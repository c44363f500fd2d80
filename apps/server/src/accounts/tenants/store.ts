import type { Uuid } from '../../kernel/ids.ts';
import { type Page, type Paged, toOffset } from '../../kernel/page.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import { accountPlanColumns, type PlanRow, standingJoin, toPlan } from '../account.ts';
import type { Tenant } from './tenant.ts';

/** The source of suspensions by a platform. */
export const platformSource = 'platform';

export async function findTenant(db: Database, platformId: Uuid, id: Uuid): Promise<Tenant | null> {
  const [row] = await db.query<TenantRow>(selectOne, [platformId, id]);
  return row ? toTenant(row) : null;
}

/** Newest first. */
export async function listTenants(
  db: Database,
  platformId: Uuid,
  externalId: string | null,
  page: Page,
): Promise<Paged<Tenant>> {
  const rows = await db.query<TenantRow>(selectPage, [platformId, externalId, toOffset(page), page.limit]);
  const [counted] = await db.query<{ total: number }>(countAll, [platformId, externalId]);
  return { items: rows.map(toTenant), page, total: counted?.total ?? 0 };
}

/** Holds it until the end of the transaction. */
export async function lockTenant(tx: Database, platformId: Uuid, id: Uuid): Promise<boolean> {
  return (await tx.query(lock, [platformId, id])).length > 0;
}

/** What is left out stays as it is. */
export async function changeTenant(
  tx: Database,
  id: Uuid,
  {
    name,
    externalId,
  }: { readonly name?: string | undefined; readonly externalId?: string | null | undefined },
): Promise<void> {
  await tx.attempt(update, [id, name ?? null, externalId !== undefined, externalId ?? null]);
}

type TenantRow = PlanRow & {
  id: Uuid;
  name: string;
  external_id: string | null;
  member_limit: number | null;
  codes_used: number;
  members: number;
  suspended_for: string | null;
  suspended_at: Date | null;
  suspended_by: string | null;
  created_at: Date;
};

const toTenant = (row: TenantRow): Tenant => ({
  id: row.id,
  name: row.name,
  externalId: row.external_id,
  plan: toPlan(row),
  memberLimit: row.member_limit,
  codesUsed: row.codes_used,
  members: row.members,
  suspension:
    row.suspended_for === null || row.suspended_at === null
      ? null
      : {
          reason: row.suspended_for,
          since: row.suspended_at,
          byPlatform: row.suspended_by === platformSource,
        },
  createdAt: row.created_at,
});

const select = (from: string) =>
  `select a.id, a.name, a.external_id, a.created_at, ${accountPlanColumns}, p.members as member_limit,
          suspension.reason as suspended_for, suspension.suspended_at, suspension.source as suspended_by,
          coalesce((select case p.quota_scope when 'api' then t.made_by_api else t.active + t.paused + t.draft + t.archived end
                      from code_counts t where t.account_id = a.id and t.mode = 'live'), 0) as codes_used,
          (select count(*) from members m where m.account_id = a.id)
            + (select count(*) from invitations i where i.account_id = a.id and i.expires_at > now()) as members
     from ${from} a join plans p on p.name = a.plan ${standingJoin}
    order by a.id desc`;

const own = 'platform_id = $1 and closed_at is null';
const matching = `${own} and ($2::text is null or external_id = $2)`;

const selectOne = sql('find-tenant', select(`(select * from accounts where ${own} and id = $2)`));
const selectPage = sql(
  'list-tenants',
  select(`(select * from accounts where ${matching} order by id desc offset $3 limit $4)`),
);
const countAll = sql('count-tenants', `select count(*) as total from accounts where ${matching}`);
const lock = sql('lock-tenant', `select from accounts where ${own} and id = $2 for no key update`);
const update = sql(
  'change-tenant',
  `update accounts set name = coalesce($2, name), external_id = case when $3 then $4 else external_id end where id = $1`,
);
