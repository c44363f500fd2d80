import type { AccountsQuery, Role } from '@signpost/contract';
import { parseId, type Uuid } from '../../kernel/ids.ts';
import { type Page, type Paged, toOffset } from '../../kernel/page.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import { type AccountRow, accountColumns, toAccountItem } from './rows.ts';
import type { ListedAccount } from './suspension.ts';

type Filter = Pick<AccountsQuery, 'search' | 'state' | 'plan'>;

/** Accounts for the operator, newest first, each with how much of its plan is used. */
export async function listAccounts(db: Database, filter: Filter, page: Page): Promise<Paged<ListedAccount>> {
  const { search, state = 'open', plan } = filter;
  const values = [
    search?.toLowerCase() ?? null,
    search ? parseId('acct', search.trim()) : null,
    state,
    plan ?? null,
  ];
  const rows = await db.query<ListedRow>(selectPage, [...values, toOffset(page), page.limit]);
  const [counted] = await db.query<{ total: number }>(countAll, values);
  return { items: rows.map(toListed), page, total: counted?.total ?? 0 };
}

export async function findListedAccount(db: Database, id: Uuid): Promise<ListedAccount | null> {
  const [row] = await db.query<ListedRow>(selectOne, [id]);
  return row ? toListed(row) : null;
}

type ListedRow = AccountRow & {
  people: { email: string; role: Role }[];
  people_count: number;
  codes_used: number;
  live_codes: number;
  code_quota: number | null;
  test_codes: number;
};

const toListed = (row: ListedRow): ListedAccount => ({
  account: toAccountItem(row),
  people: row.people,
  peopleCount: row.people_count,
  codesUsed: row.codes_used,
  liveCodes: row.live_codes,
  codeQuota: row.code_quota,
  testCodes: row.test_codes,
});

const matching = `case $3::text
            when 'closed' then a.closed_at is not null
            when 'suspended' then exists (select from suspensions o
                                           where o.account_id = a.id and o.qr_code_id is null and o.released_at is null)
            else a.closed_at is null end
      and ($4::text is null or a.plan = $4)
      and ($1::text is null or a.id = $2 or position($1 in lower(a.name)) > 0
           or exists (select from members m join auth_users u on u.id = m.user_id
                       where m.account_id = a.id and position($1 in u.email) > 0))`;

const accounts = (from: string) =>
  `select ${accountColumns}, coalesce(a.code_quota, p.code_quota) as code_quota,
          coalesce((select json_agg(json_build_object('email', x.email, 'role', x.role))
                      from (select u.email, m.role from members m join auth_users u on u.id = m.user_id
                             where m.account_id = a.id order by m.created_at, m.user_id limit 3) x), '[]') as people,
          (select count(*)::integer from members m where m.account_id = a.id) as people_count,
          coalesce((select case p.quota_scope when 'api' then t.made_by_api else t.active + t.paused + t.draft + t.archived end
                      from code_counts t where t.account_id = a.id and t.mode = 'live'), 0) as codes_used,
          coalesce((select t.active + t.paused + t.draft + t.archived
                      from code_counts t where t.account_id = a.id and t.mode = 'live'), 0) as live_codes,
          coalesce((select t.active + t.paused + t.draft + t.archived
                      from code_counts t where t.account_id = a.id and t.mode = 'test'), 0) as test_codes
     from ${from} a join plans p on p.name = a.plan
    order by a.id desc`;

/** Ids ascend with the time of creation. */
const selectPage = sql(
  'operator-list-accounts',
  accounts(`(select a.* from accounts a where ${matching} order by a.id desc offset $5 limit $6)`),
);
const countAll = sql('operator-count-accounts', `select count(*) as total from accounts a where ${matching}`);
const selectOne = sql('operator-listed-account', accounts('(select * from accounts where id = $1)'));
