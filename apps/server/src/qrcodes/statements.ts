import { linkKeySql } from '../kernel/link-key.ts';
import { sql } from '../platform/postgres.ts';

/**
 * One statement, so that a create costs one round trip: locks the counts of the account, checks the limits against the
 * locked row, assigns the numbers, writes the codes with their targets and adds them to their buckets. No row: a limit is
 * reached, or one of the hosts is blocked. The list of blocked hosts is locked until the commit, before the counts.
 */
export const insertCodes = sql(
  'insert-codes',
  `with counts as (
     update code_counts
        set last_number = last_number + $3,
            active = active + $4,
            draft = draft + $5,
            made_by_api = made_by_api + case $15 when 'api' then $3 else 0 end
      where account_id = $1 and mode = $2
        and not exists (select from blocked_hosts where host = any($17::text[]) for key share)
        and ($6::bigint is null or active + paused + draft + $3 <= $6)
        and ($7::bigint is null or made_by_api + $3 <= $7)
        and ($19::bigint is null or active + paused + draft - made_by_api + $3 <= $19)
      returning last_number - $3 as base
   ), made as (
     insert into qr_codes (id, account_id, mode, number, status, made_by, short_code, name, destination_url, style,
                           created_at, updated_at, made_by_id, key_space)
     select item.id, $1, $2, counts.base + item.position, item.status::qr_code_status, $15, item.short_code,
            item.name, item.destination_url, item.style::jsonb, $8, $8, $16, item.key_space
       from counts,
            unnest($9::uuid[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $18::text[])
              with ordinality as item (id, status, short_code, name, destination_url, style, key_space, position)
     returning number, status
   ), targets as (
     insert into code_targets (qr_code_id, kind, url, host, url_hash)
     select item.id, 'default', item.url, item.host, item.url_hash
       from counts, unnest($9::uuid[], $13::text[], $20::text[], $21::bytea[]) as item (id, url, host, url_hash)
   ), buckets as (
     insert into count_buckets as existing (account_id, mode, bucket, active, draft)
     select $1, $2, number / 1000, count(*) filter (where status = 'active'), count(*) filter (where status = 'draft')
       from made group by number / 1000
     on conflict (account_id, mode, bucket) do update
        set active = existing.active + excluded.active, draft = existing.draft + excluded.draft
   )
   select number from made order by number`,
);

const ofAnyAccount =
  'select id, account_id, mode, status, key_space, short_code, destination_url from qr_codes';

export const findByKey = sql('find-by-key', `${ofAnyAccount} where ${linkKeySql} = $1`);

/** The tombstone of a test code does not reserve its short code. */
export const findTaken = sql(
  'find-taken',
  `select ${linkKeySql} as key from qr_codes
    where ${linkKeySql} = any($1) and (status <> 'deleted' or mode = 'live')`,
);

/** Removes tombstones of test codes, and queues the invalidation of their links. */
export const releaseKeys = sql(
  'release-keys',
  `with released as (
     delete from qr_codes
      where ${linkKeySql} = any($2) and account_id = $1 and mode = 'test' and status = 'deleted'
      returning ${linkKeySql} as key)
   insert into link_changes (key) select key from released`,
);

const columns = `c.id, c.mode, c.number, c.status, c.made_by, c.key_space, c.short_code, c.name, c.destination_url, c.style,
  c.created_at, c.updated_at, coalesce(s.total_scans, 0) as total_scans, coalesce(s.unique_scans, 0) as unique_scans`;

/**
 * The host of a target and every parent domain, of at most 253 characters: see withParents. Nothing is computed where no
 * host is blocked.
 */
const blockedTarget = `select b.host, b.owner_reason, b.created_at from code_targets t
   join blocked_hosts b on b.host = any(array(
        select substr(t.host, at) from generate_series(greatest(1, length(t.host) - 252), length(t.host)) at
         where at = 1 or substr(t.host, at - 1, 1) = '.'))
  where t.qr_code_id = c.id and stopped.suspended_at is null and exists (select from blocked_hosts)
  order by length(b.host) limit 1`;

/**
 * Of several suspensions of a code the oldest is shown. Redirects stop a code by its host before it is marked as suspended,
 * so its host is checked as well.
 */
const wholeCode = `select ${columns}, stopped.reason as suspended_for, stopped.suspended_at,
        blocked.host as blocked_host, blocked.owner_reason as blocked_for, blocked.created_at as blocked_at
   from qr_codes c left join scan_counts s on s.qr_code_id = c.id
   left join lateral (select reason, suspended_at from suspensions
                       where qr_code_id = c.id and released_at is null
                       order by suspended_at, id limit 1) stopped on true
   left join lateral (${blockedTarget}) blocked on true
  where c.id = $1 and c.account_id = $2 and c.mode = $3 and c.status <> 'deleted'`;

export const findCode = sql('find-code', wholeCode);
export const lockCode = sql('lock-code', `${wholeCode} for update of c`);

export const findAny = sql(
  'find-any-code',
  'select key_space, short_code, style, status from qr_codes where id = $1',
);

/** The page is cut before the scan counts are joined, so that a skipped code costs one index entry. */
const list = (filter: string) => `select ${columns}
   from (select * from qr_codes
          where account_id = $1 and mode = $2 and status <> 'deleted' and number < $3 ${filter}
          order by number desc offset $4 limit $5) c
   left join scan_counts s on s.qr_code_id = c.id
  order by c.number desc`;

export const listCodes = sql('list-codes', list(''));
export const listCodesByStatus = sql('list-codes-by-status', list('and status = $6'));

export const findNames = sql(
  'find-names',
  `select id, name from qr_codes
    where id = any($3::uuid[]) and account_id = $1 and mode = $2 and status <> 'deleted'`,
);

/**
 * Deleted codes that may still have scans in ClickHouse, however long ago they were deleted: all of them until the first
 * sweep, and late ones until the second. The ids go to ClickHouse in the URL of a query, which fits this many.
 */
export const findJustDeleted = sql(
  'find-just-deleted',
  `select qr_code_id as id from erasures where account_id = $1 and mode = $2 and sweeps < 2
    order by sweeps, requested_at limit 5000`,
);

/** Changes codes, and queues the invalidation of their links. */
const change = (assignments: string, which: string) =>
  `with changed as (update qr_codes set ${assignments} where ${which} returning ${linkKeySql} as key)
   insert into link_changes (key) select key from changed`;

export const updateCode = sql(
  'update-code',
  change('name = $2, destination_url = $3, status = $4, updated_at = $5', 'id = $1'),
);

/** Cheaper than a claim, and mostly there is none. */
export const anyChange = sql('any-link-change', 'select from link_changes limit 1');
/** Claims those that no other process has claimed, or whose claim has expired. */
export const claimChanges = sql(
  'claim-link-changes',
  `update link_changes set claimed_at = now()
    where n = any(array(
      select n from link_changes where claimed_at is null or claimed_at < now() - $2 * interval '1 millisecond'
       order by n limit $1 for update skip locked))
   returning n, key`,
);
export const deleteChanges = sql('delete-link-changes', 'delete from link_changes where n = any($1)');
export const releaseChanges = sql(
  'release-link-changes',
  'update link_changes set claimed_at = null where n = any($1)',
);

/** Codes to be deleted, under the lock of the counts: no other code of the account is created or deleted meanwhile. */
export const lockToDelete = sql(
  'lock-codes-to-delete',
  `select id, number, status, made_by, destination_url, ${linkKeySql} as key from qr_codes
    where id = any($3::uuid[]) and account_id = $1 and mode = $2 and status <> 'deleted'
    order by id for update`,
);

/** Read before the lock, so that their edits can be deleted first. */
export const nextToDelete = sql(
  'next-to-delete',
  `select id, destination_url from qr_codes
    where account_id = $1 and mode = $2 and status <> 'deleted' order by number limit $3`,
);

export const softDeleteCodes = sql(
  'soft-delete-codes',
  change(
    `status = 'deleted', name = '', destination_url = '', style = '{}', made_by_id = null, updated_at = $2`,
    'id = any($1::uuid[])',
  ),
);
