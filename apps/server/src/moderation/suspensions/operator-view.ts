import { maxCountedCodes, maxFoundCodes, type Role } from '@signpost/contract';
import { findLink } from '../../domains/link.ts';
import { isHostOrBelow } from '../../kernel/addresses/hosts.ts';
import type { LinkNames } from '../../kernel/addresses/link-names.ts';
import { modes } from '../../kernel/caller.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { type Page, type Paged, toOffset } from '../../kernel/page.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import { type CodeTargets, findTargets, noTargets } from '../targets.ts';
import { parseCodeQuery } from './code-query.ts';
import { type AccountRow, accountColumns, toAccountItem } from './rows.ts';
import { findOpenOfAccount } from './store.ts';
import type { HostReach, OperatorAccount, OperatorCode } from './suspension.ts';

/** Targets that are shown of a code that was looked up by its link, and of each code in a list. */
const [maxTargetsOfOne, maxTargetsOfMany] = [600, 20];

/**
 * The code with this short code or short link; for another URL the codes that lead to its host, and then those that led there
 * earlier. Newest first, with deleted ones.
 */
export async function findCodes(
  db: Database,
  link: string,
  linkNames: LinkNames,
): Promise<readonly OperatorCode[]> {
  const found = await findLink(db, linkNames, link);
  const query = parseCodeQuery(found?.key ?? link, linkNames);
  if (query === null) return [];
  if ('key' in query)
    return withTargets(db, await db.query<CodeRow>(codeByKey, [query.key]), { limit: maxTargetsOfOne });
  const { host } = query;
  const leading = await db.query<CodeRow>(codesByHost, [host, maxFoundCodes]);
  const earlier = await db.query<CodeRow>(codesByRemovedHost, [
    host,
    maxFoundCodes - leading.length,
    leading.map(({ id }) => id),
  ]);
  return withTargets(db, [...leading, ...earlier], { host, limit: maxTargetsOfMany });
}

/** Codes by id, in no order, with deleted ones. */
export async function findCodesById(db: Database, ids: readonly Uuid[]): Promise<readonly OperatorCode[]> {
  return withTargets(db, await db.query<CodeRow>(codesById, [ids]), { limit: maxTargetsOfMany });
}

async function withTargets(
  db: Database,
  rows: readonly CodeRow[],
  selection: Parameters<typeof findTargets>[2],
): Promise<readonly OperatorCode[]> {
  const targets = await findTargets(
    db,
    rows.map(({ id }) => id),
    selection,
  );
  return rows.map(row => toOperatorCode(row, targets.get(row.id) ?? noTargets));
}

export async function findAccount(db: Database, id: Uuid): Promise<OperatorAccount | null> {
  const [row] = await db.query<AccountRow & Counts>(selectAccount, [id]);
  if (!row) return null;
  const people = await db.query<PersonRow>(selectPeople, [id]);
  return {
    account: toAccountItem(row),
    suspension: await findOpenOfAccount(db, id),
    people: people.map(({ name, email, email_verified: emailVerified, created_at: createdAt, role }) => ({
      name,
      email,
      emailVerified,
      createdAt,
      role,
    })),
    liveCodes: row.live_codes,
    testCodes: row.test_codes,
    suspendedCodes: row.suspended_codes,
    ownLimits: {
      requestsPerMinute: row.requests_per_minute,
      codes: row.code_quota,
      creationsPerMinute: row.creations_per_minute,
    },
  };
}

/** The codes of an account in both modes, newest first. */
export async function listCodes(db: Database, accountId: Uuid, page: Page): Promise<Paged<OperatorCode>> {
  const rows = await db.query<CodeRow>(codesOfAccount, [accountId, toOffset(page), page.limit]);
  const [counted] = await db.query<{ total: number }>(countCodes, [accountId]);
  const items = await withTargets(db, rows, { limit: maxTargetsOfMany });
  return { items, page, total: counted?.total ?? 0 };
}

/** How much a block of this host would stop. The count has a bound, so that a query for a very common host stays fast. */
export async function measureReach(db: Database, host: string): Promise<HostReach> {
  const [row] = await db.query<HostReach>(countReach, [host, maxCountedCodes + 1]);
  return row ?? { codes: 0, domains: 0, accounts: 0 };
}

const codes = (from: string, order: string) =>
  `select c.id, c.name, c.mode, c.key_space, c.short_code, c.domain, c.destination_url, c.status, c.made_by, c.created_at,
          c.updated_at, coalesce(n.total_scans, 0) as total_scans,
          exists (select from suspensions s where s.qr_code_id = c.id and s.released_at is null) as suspended,
          ${accountColumns}
     from ${from}
     join accounts a on a.id = c.account_id
     left join scan_counts n on n.qr_code_id = c.id
    ${order}`;

const codeByKey = sql('operator-code-by-key', codes(`(select * from qr_codes where link_key = $1) c`, ''));

const codesById = sql(
  'operator-codes-by-id',
  codes('(select * from qr_codes where id = any($1::uuid[])) c', ''),
);

/** A code is found once, however many of its targets are on the host. Ids ascend with the time of creation. */
const codesByHost = sql(
  'operator-codes-by-host',
  codes(
    `(select distinct qr_code_id from code_targets where ${isHostOrBelow('host', '$1')}
       order by qr_code_id desc limit $2) t
     join qr_codes c on c.id = t.qr_code_id`,
    'order by c.id desc',
  ),
);

const codesByRemovedHost = sql(
  'operator-codes-by-removed-host',
  codes(
    `(select distinct qr_code_id from removed_targets
       where ${isHostOrBelow('host', '$1')} and not qr_code_id = any($3::uuid[])
       order by qr_code_id desc limit $2) t
     join qr_codes c on c.id = t.qr_code_id`,
    'order by c.id desc',
  ),
);

const countReach = sql(
  'operator-reach-of-host',
  `with found as (
     select c.account_id, true as is_code
       from (select distinct qr_code_id from code_targets where ${isHostOrBelow('host', '$1')} limit $2) t
       join qr_codes c on c.id = t.qr_code_id
     union all
     select d.account_id, false
       from (select distinct domain_id from domain_targets
              where ${isHostOrBelow('host', '$1')} and cleared_at is null limit $2) t
       join domains d on d.id = t.domain_id)
   select count(*) filter (where is_code) as codes, count(*) filter (where not is_code) as domains,
          count(distinct account_id) as accounts
     from found`,
);

/** Reads the newest by the index, no further than the page reaches. */
const newest = (mode: string, archived: boolean) =>
  `(select * from qr_codes where account_id = $1 and mode = '${mode}' and archived = ${archived} and status <> 'deleted'
     order by number desc limit $2::bigint + $3::bigint)`;
const newestOfEach = modes.flatMap(mode => [newest(mode, false), newest(mode, true)]).join(' union all ');

const codesOfAccount = sql(
  'operator-codes-of-account',
  codes(
    `(select * from (${newestOfEach}) of_each
       order by created_at desc, id desc offset $2 limit $3) c`,
    'order by c.created_at desc, c.id desc',
  ),
);

const countCodes = sql(
  'operator-count-codes',
  'select coalesce(sum(active + paused + draft + archived), 0)::bigint as total from code_counts where account_id = $1',
);

const selectCodeCount = (mode: string) =>
  `coalesce((select t.active + t.paused + t.draft + t.archived from code_counts t
              where t.account_id = a.id and t.mode = '${mode}'), 0)`;

const selectAccount = sql(
  'operator-account',
  `select ${accountColumns}, a.requests_per_minute, a.code_quota, a.creations_per_minute,
          ${selectCodeCount('live')} as live_codes, ${selectCodeCount('test')} as test_codes,
          (select count(distinct s.qr_code_id) from suspensions s
            where s.account_id = a.id and s.qr_code_id is not null and s.released_at is null
              and s.deleted_at is null) as suspended_codes
     from accounts a where a.id = $1`,
);

const selectPeople = sql(
  'operator-people',
  `select u.name, u.email, u.email_verified, u.created_at, m.role
     from members m join auth_users u on u.id = m.user_id
    where m.account_id = $1 order by m.created_at, m.user_id`,
);

type Counts = {
  live_codes: number;
  test_codes: number;
  suspended_codes: number;
  requests_per_minute: number | null;
  code_quota: number | null;
  creations_per_minute: number | null;
};
type PersonRow = { name: string; email: string; email_verified: boolean; created_at: Date; role: Role };

type CodeRow = AccountRow & {
  id: Uuid;
  name: string;
  mode: OperatorCode['mode'];
  key_space: string;
  short_code: string;
  domain: string | null;
  destination_url: string;
  status: OperatorCode['status'];
  made_by: OperatorCode['madeBy'];
  created_at: Date;
  updated_at: Date;
  total_scans: number;
  suspended: boolean;
};

const toOperatorCode = (row: CodeRow, targets: CodeTargets): OperatorCode => ({
  id: row.id,
  name: row.name,
  mode: row.mode,
  keySpace: row.key_space,
  shortCode: row.short_code,
  domain: row.domain,
  destinationUrl: row.destination_url,
  targets,
  status: row.status,
  madeBy: row.made_by,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  totalScans: row.total_scans,
  suspended: row.suspended,
  account: toAccountItem(row),
});
