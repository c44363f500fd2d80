import { linkKeySql } from '../kernel/link-key.ts';
import { sql } from '../platform/postgres.ts';

/**
 * One statement, so that a create costs one trip: takes the account's lock, checks the limits against the row it
 * has locked, hands out the numbers, writes the codes with their targets and adds them to their blocks. No row: a limit is reached, or
 * one of the hosts is blocked. The list of those is held until the commit, before the account's lock.
 */
export const insertCodes = sql(
  'insert-codes',
  `with tally as (
     update code_tallies
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
     select item.id, $1, $2, tally.base + item.position, item.status::qr_code_status, $15, item.short_code,
            item.name, item.destination_url, item.style::jsonb, $8, $8, $16, item.key_space
       from tally,
            unnest($9::uuid[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $18::text[])
              with ordinality as item (id, status, short_code, name, destination_url, style, key_space, position)
     returning number, status
   ), targets as (
     insert into code_targets (qr_code_id, kind, url, host, url_hash)
     select item.id, 'default', item.url, item.host, item.url_hash
       from tally, unnest($9::uuid[], $13::text[], $20::text[], $21::bytea[]) as item (id, url, host, url_hash)
   ), blocks as (
     insert into code_blocks as kept (account_id, mode, block, active, draft)
     select $1, $2, number / 1000, count(*) filter (where status = 'active'), count(*) filter (where status = 'draft')
       from made group by number / 1000
     on conflict (account_id, mode, block) do update
        set active = kept.active + excluded.active, draft = kept.draft + excluded.draft
   )
   select number from made order by number`,
);

const anybodys = 'select id, account_id, mode, status, key_space, short_code, destination_url from qr_codes';

export const findByKey = sql('find-by-key', `${anybodys} where ${linkKeySql} = $1`);

/** The tombstone of a test code keeps nobody from its name. */
export const findTaken = sql(
  'find-taken',
  `select ${linkKeySql} as key from qr_codes
    where ${linkKeySql} = any($1) and (status <> 'deleted' or mode = 'live')`,
);

/** Removes tombstones of test codes, and writes down that redirects are to be told. */
export const releaseKeys = sql(
  'release-keys',
  `with released as (
     delete from qr_codes
      where ${linkKeySql} = any($2) and account_id = $1 and mode = 'test' and status = 'deleted'
      returning ${linkKeySql} as key)
   insert into link_changes (key) select key from released`,
);

export const findTally = sql(
  'find-tally',
  'select active, paused, draft, made_by_api from code_tallies where account_id = $1 and mode = $2',
);

export const lockTally = sql(
  'lock-tally',
  'select from code_tallies where account_id = $1 and mode = $2 for update',
);

const columns = `c.id, c.mode, c.number, c.status, c.made_by, c.key_space, c.short_code, c.name, c.destination_url, c.style,
  c.created_at, c.updated_at, coalesce(s.total_scans, 0) as total_scans, coalesce(s.unique_scans, 0) as unique_scans`;

/**
 * The host of a target and every domain above it, of at most 253 characters: see withParents. Where no host is blocked,
 * nothing of it is worked out.
 */
const blockedTarget = `select b.host, b.owner_reason, b.created_at from code_targets t
   join blocked_hosts b on b.host = any(array(
        select substr(t.host, at) from generate_series(greatest(1, length(t.host) - 252), length(t.host)) at
         where at = 1 or substr(t.host, at - 1, 1) = '.'))
  where t.qr_code_id = c.id and stopped.suspended_at is null and exists (select from blocked_hosts)
  order by length(b.host) limit 1`;

/**
 * Of several suspensions of a code the oldest is shown. Redirects stop a code by its host before it is marked as suspended,
 * so its host is looked at as well.
 */
const one = `select ${columns}, stopped.reason as suspended_for, stopped.suspended_at,
        blocked.host as blocked_host, blocked.owner_reason as blocked_for, blocked.created_at as blocked_at
   from qr_codes c left join scan_counts s on s.qr_code_id = c.id
   left join lateral (select reason, suspended_at from suspensions
                       where qr_code_id = c.id and released_at is null
                       order by suspended_at, id limit 1) stopped on true
   left join lateral (${blockedTarget}) blocked on true
  where c.id = $1 and c.account_id = $2 and c.mode = $3 and c.status <> 'deleted'`;

export const findCode = sql('find-code', one);
export const lockCode = sql('lock-code', `${one} for update of c`);

export const findAny = sql(
  'find-any-code',
  'select key_space, short_code, style, status from qr_codes where id = $1',
);

/** The page is cut before the scan counts are joined, so that skipped codes cost an index entry each and no more. */
const list = (filter: string) => `select ${columns}
   from (select * from qr_codes
          where account_id = $1 and mode = $2 and status <> 'deleted' and number < $3 ${filter}
          order by number desc offset $4 limit $5) c
   left join scan_counts s on s.qr_code_id = c.id
  order by c.number desc`;

export const listCodes = sql('list-codes', list(''));
export const listCodesByStatus = sql('list-codes-by-status', list('and status = $6'));

/** The block, counted from the newest, that holds the code at an offset, and how many codes lie before it. */
export const findBlock = sql(
  'find-block',
  `select block, before
     from (select block, held, sum(held) over (order by block desc)::bigint - held as before
             from (select block,
                          case $3::text when 'active' then active when 'paused' then paused when 'draft' then draft
                                        else active + paused + draft end as held
                     from code_blocks where account_id = $1 and mode = $2) counted) placed
    where before <= $4 and before + held > $4`,
);

export const findNames = sql(
  'find-names',
  `select id, name from qr_codes
    where id = any($3::uuid[]) and account_id = $1 and mode = $2 and status <> 'deleted'`,
);

/**
 * Codes that may still have scans in ClickHouse, however long ago they were deleted: until the first sweep all of them, until the
 * second those that were on their way. All ids go to ClickHouse in the address of a query, which has room for so many.
 */
export const findJustDeleted = sql(
  'find-just-deleted',
  `select qr_code_id as id from erasures where account_id = $1 and mode = $2 and sweeps < 2
    order by sweeps, requested_at limit 5000`,
);

/** Changes codes, and writes down that redirects are to be told. */
const change = (assignments: string, which: string) =>
  `with changed as (update qr_codes set ${assignments} where ${which} returning ${linkKeySql} as key)
   insert into link_changes (key) select key from changed`;

export const updateCode = sql(
  'update-code',
  change('name = $2, destination_url = $3, status = $4, updated_at = $5', 'id = $1'),
);

/** Claims those that nobody else has, or whose claim has run out. The first look costs less, and mostly finds nothing. */
export const anyChange = sql('any-link-change', 'select from link_changes limit 1');
export const claimChanges = sql(
  'claim-link-changes',
  `update link_changes set claimed_at = now()
    where n = any(array(
      select n from link_changes where claimed_at is null or claimed_at < now() - $2 * interval '1 millisecond'
       order by n limit $1 for update skip locked))
   returning n, key`,
);
export const deleteChanges = sql('delete-link-changes', 'delete from link_changes where n = any($1)');

/** Adds to the counts of the account and of one block. */
export const adjustCounts = sql(
  'adjust-counts',
  `with tally as (
     update code_tallies
        set active = active + $4, paused = paused + $5, draft = draft + $6, made_by_api = made_by_api + $7
      where account_id = $1 and mode = $2
   )
   update code_blocks set active = active + $4, paused = paused + $5, draft = draft + $6
    where account_id = $1 and mode = $2 and block = $3`,
);

/** Codes to be deleted, under the lock of the tally: nobody else makes or deletes any of the account meanwhile. */
export const lockToDelete = sql(
  'lock-codes-to-delete',
  `select id, number, status, made_by, destination_url, ${linkKeySql} as key from qr_codes
    where id = any($3::uuid[]) and account_id = $1 and mode = $2 and status <> 'deleted'
    order by id for update`,
);

/** Looked at before the lock, so that their edits can go first. */
export const nextToDelete = sql(
  'next-to-delete',
  `select id, destination_url from qr_codes
    where account_id = $1 and mode = $2 and status <> 'deleted' order by number limit $3`,
);

export const buryCodes = sql(
  'bury-codes',
  change(
    `status = 'deleted', name = '', destination_url = '', style = '{}', made_by_id = null, updated_at = $2`,
    'id = any($1::uuid[])',
  ),
);

/** Locked in the order in which counting locks them. */
export const deleteScanCounts = sql(
  'delete-scan-counts',
  `delete from scan_counts where qr_code_id = any(array(
     select qr_code_id from scan_counts where qr_code_id = any($1::uuid[]) order by qr_code_id for update))`,
);

/** Takes deleted codes out of the counts of their account and their blocks: of each block how many of each status. */
export const subtractCounts = sql(
  'subtract-counts',
  `with gone as (
     select * from unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[]) as gone (block, active, paused, draft)
   ), tally as (
     update code_tallies
        set active = active - (select sum(active) from gone), paused = paused - (select sum(paused) from gone),
            draft = draft - (select sum(draft) from gone), made_by_api = made_by_api - $7
      where account_id = $1 and mode = $2
   )
   update code_blocks b
      set active = b.active - gone.active, paused = b.paused - gone.paused, draft = b.draft - gone.draft
     from gone where b.account_id = $1 and b.mode = $2 and b.block = gone.block`,
);

export const deleteEmptyBlocks = sql(
  'delete-empty-blocks',
  `delete from code_blocks
    where account_id = $1 and mode = $2 and block = any($3::bigint[]) and active + paused + draft = 0`,
);

/** Whatever they count. */
export const deleteTally = sql(
  'delete-tally',
  `with blocks as (delete from code_blocks where account_id = $1 and mode = $2)
   delete from code_tallies where account_id = $1 and mode = $2`,
);

export const writeTargets = sql(
  'write-targets',
  `insert into code_targets as kept (qr_code_id, kind, url, host, url_hash)
   select item.id, 'default', item.url, item.host, item.url_hash
     from unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[]) as item (id, url, host, url_hash)
   on conflict (qr_code_id) where kind = 'default' do update
      set url = excluded.url, host = excluded.host, url_hash = excluded.url_hash
    where kept.url <> excluded.url`,
);

export const deleteTargets = sql(
  'delete-targets',
  `delete from code_targets where id = any(array(
     select id from code_targets where qr_code_id = any($1::uuid[]) order by qr_code_id for update))`,
);

/** In the order in which everybody locks them. */
export const lockTargets = sql(
  'lock-targets-to-fill',
  'select from code_targets where qr_code_id = any($1::uuid[]) order by qr_code_id for update',
);

/** What a version from before this table has left: it deletes codes and not their targets. */
export const deleteTargetsOfDeleted = sql(
  'delete-targets-of-deleted',
  `delete from code_targets t using qr_codes c
    where t.qr_code_id = any($1::uuid[]) and c.id = t.qr_code_id and c.status = 'deleted'`,
);

/** The first of the fills that is to be worked on, where no other process does. */
/** Mostly there is none, and then no transaction is begun. */
export const anyFill = sql('any-target-fill', 'select from fills where done_at is null limit 1');
export const lockFill = sql(
  'lock-target-fill',
  `select name, after from fills
    where done_at is null
      and (name = 'code_targets' or name = 'code_targets again' and exists (
            select from fills f where f.name = 'code_targets' and f.done_at < now() - interval '1 hour'))
    order by name limit 1 for update skip locked`,
);

export const nextToFill = sql('next-to-fill', 'select id from qr_codes where id > $1 order by id limit $2');

export const lockToFill = sql(
  'lock-to-fill',
  `select id, destination_url from qr_codes where id = any($1::uuid[]) and status <> 'deleted'
    order by id for share`,
);

export const moveFill = sql('move-target-fill', 'update fills set after = $2 where name = $1');

export const endFill = sql(
  'end-target-fill',
  `with ended as (update fills set done_at = now() where name = $1 returning name)
   insert into fills (name, after)
   select 'code_targets again', '00000000-0000-0000-0000-000000000000' from ended where name = 'code_targets'
   on conflict do nothing`,
);
