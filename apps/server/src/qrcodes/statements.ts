import { eventCtes } from '../audit/writer.ts';
import { sql } from '../platform/postgres/postgres.ts';
import { columns, placementsColumn, stopColumns, stopJoins } from './code-columns.ts';

/**
 * One statement, so that a create costs one round trip: locks the counts of the account, checks the limits against the
 * locked row, assigns the numbers, writes the codes with their targets, adds them to their buckets, and writes the event,
 * if there is one. No row: a limit is reached, one of the hosts is blocked, or the account has no counts yet. The list of blocked hosts is locked until the commit, before the counts. No code
 * is older than one with a lower number, so that lists are cut by time without reading what lies before.
 */
export const insertCodes = sql(
  'insert-codes',
  `with counts as (
     update code_counts
        set last_number = last_number + $3,
            active = active + $4,
            draft = draft + $5,
            paused = paused + $26,
            last_created_at = greatest($8, last_created_at),
            made_by_api = made_by_api + case $15 when 'api' then $3 else 0 end
      where account_id = $1 and mode = $2
        and not exists (select from blocked_hosts where host = any($17::text[]) for key share)
        and ($6::bigint is null or active + paused + draft + archived + $3 <= $6)
        and ($7::bigint is null or made_by_api + $3 <= $7)
        and ($19::bigint is null or active + paused + draft + archived - made_by_api + $3 <= $19)
      returning last_number - $3 as base, last_created_at as at
   ), made as (
     insert into qr_codes (id, account_id, mode, number, status, made_by, short_code, name, destination_url, style,
                           created_at, updated_at, made_by_id, key_space, link_key, domain, host, note, external_id,
                           metadata)
     select item.id, $1, $2, counts.base + item.position, item.status::qr_code_status, $15, item.short_code,
            item.name, item.destination_url, item.style::jsonb, counts.at, counts.at, $16, item.key_space, item.link_key,
            item.domain, item.host, item.note, item.external_id, item.metadata::jsonb
       from counts,
            unnest($9::uuid[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $18::text[], $20::text[],
                   $22::text[], $23::text[], $24::text[], $25::text[], $27::text[])
              with ordinality as item (id, status, short_code, name, destination_url, style, key_space, host, note,
                                       external_id, metadata, link_key, domain, position)
     returning number, status, created_at
   ), targets as (
     insert into code_targets (qr_code_id, kind, url, host, url_hash)
     select item.id, 'default', item.url, item.host, item.url_hash
       from counts, unnest($9::uuid[], $13::text[], $20::text[], $21::bytea[]) as item (id, url, host, url_hash)
     returning 1
   ), buckets as (
     insert into count_buckets as existing (account_id, mode, bucket, active, draft, paused)
     select $1, $2, number / 1000, count(*) filter (where status = 'active'), count(*) filter (where status = 'draft'),
            count(*) filter (where status = 'paused')
       from made group by number / 1000
     on conflict (account_id, mode, bucket) do update
        set active = existing.active + excluded.active, draft = existing.draft + excluded.draft,
            paused = existing.paused + excluded.paused
     returning 1
   ), ${eventCtes(['made', 'targets', 'buckets'], 28)}
   select number, created_at from made order by number`,
);

const ofAnyAccount = 'select id, account_id, mode, status, key_space, short_code from qr_codes';

export const findByKey = sql('find-by-key', `${ofAnyAccount} where link_key = $1`);

/**
 * Tombstones `c` that make way for a new code of account $1: those of test codes, and those of live codes that nothing is
 * known against. A code that was deleted while it was suspended is known for 90 days.
 */
const mayMakeWay = `c.status = 'deleted' and c.account_id = $1 and (c.mode = 'test' or not (
       exists (select from suspensions s where s.qr_code_id = c.id)
    or exists (select from suspensions s
                where s.account_id = $1 and s.qr_code_id is null and s.released_at is null)
    or exists (select from reports r where r.qr_code_id = c.id and r.closed_at is null)))`;

/** Which of these keys are taken, and which of those account $1 may take back. The tombstone of a test code reserves nothing. */
export const findTaken = sql(
  'find-taken',
  `select link_key as key, ${mayMakeWay} as reclaimable from qr_codes c
    where link_key = any($2) and (status <> 'deleted' or mode = 'live')`,
);

/** Removes tombstones, and queues the invalidation of their links. */
export const releaseKeys = sql(
  'release-keys',
  `with released as (
     delete from qr_codes c where link_key = any($2) and ${mayMakeWay} returning link_key as key)
   insert into link_changes (key) select key from released`,
);

const wholeCode = `select ${columns}, c.rules, c.fallback_url, c.forward_query, c.append_query,
        ${placementsColumn('key', 'name', 'note', 'created_at')},
        c.placement_keys is not null as had_placements,
        ${stopColumns},
        array(select t.name from code_tags ct join tags t on t.id = ct.tag_id
               where ct.qr_code_id = c.id order by t.folded) as tags
   from qr_codes c left join scan_counts s on s.qr_code_id = c.id
   ${stopJoins}`;
const manyOfOwner = `where c.id = any($1::uuid[]) and c.account_id = $2 and c.mode = $3 and c.status <> 'deleted'`;
const oneOfOwner = `where c.id = $1 and c.account_id = $2 and c.mode = $3 and c.status <> 'deleted'`;

export const findCode = sql('find-code', `${wholeCode} ${oneOfOwner}`);
export const findCodes = sql('find-codes', `${wholeCode} ${manyOfOwner}`);
/** What labels and images show of a code. Its rules and metadata may be a hundred times as much. */
export const findPrinted = sql(
  'find-printed-codes',
  `select c.id, c.key_space, c.short_code, c.domain, c.name, c.external_id, c.style, ${placementsColumn('key', 'name')}
     from qr_codes c ${manyOfOwner}`,
);
export const lockCode = sql('lock-code', `${wholeCode} ${oneOfOwner} for update of c`);
/** In the order in which every statement locks them. */
export const lockCodes = sql('lock-codes', `${wholeCode} ${manyOfOwner} order by c.id for update of c`);
/** In the same order. */
export const lockExisting = sql(
  'lock-existing-codes',
  `select c.id from qr_codes c ${manyOfOwner} order by c.id for update of c`,
);

export const findIdByExternalId = sql(
  'find-id-by-external-id',
  `select id from qr_codes
    where account_id = $1 and mode = $2 and external_id = $3 and external_id is not null and status <> 'deleted'`,
);

/** The codes of the account that have one of these external ids. */
export const findIdsByExternalIds = sql(
  'find-ids-by-external-ids',
  `select id, external_id from qr_codes
    where account_id = $1 and mode = $2 and external_id = any($3::text[]) and external_id is not null
      and status <> 'deleted'`,
);

/** Lets one upsert of an external id work at a time, until the transaction ends. */
export const lockExternalId = sql(
  'lock-external-id',
  `select pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2 || ' ' || $3, 0))`,
);

export const findAny = sql(
  'find-any-code',
  'select key_space, short_code, domain, style, status from qr_codes where id = $1',
);

/** The page is cut before the scan counts are joined, so that a skipped code costs one index entry. */
const list = (direction: 'asc' | 'desc', filter: string) => `select ${columns}
   from (select * from qr_codes
          where account_id = $1 and mode = $2 and status <> 'deleted' and archived = $6
            and number ${direction === 'desc' ? '<' : '>='} $3 ${filter}
          order by number ${direction} offset $4 limit $5) c
   left join scan_counts s on s.qr_code_id = c.id
  order by c.number ${direction}`;

export const listNewest = sql('list-newest-codes', list('desc', ''));
export const listOldest = sql('list-oldest-codes', list('asc', ''));
export const listNewestByStatus = sql('list-newest-codes-by-status', list('desc', 'and status = $7'));
export const listOldestByStatus = sql('list-oldest-codes-by-status', list('asc', 'and status = $7'));

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
  `with changed as (update qr_codes set ${assignments} where ${which} returning link_key as key)
   insert into link_changes (key) select key from changed`;

export const updateCode = sql(
  'update-code',
  change(
    `name = $2, destination_url = $3, status = $4, updated_at = $5, host = $6, note = $7, external_id = $8,
     metadata = $9::jsonb, archived = $10, revision = revision + 1`,
    'id = $1',
  ),
);

/** Goes with a statement that queues the invalidation of the links, in one transaction. */
export const updateRouting = sql(
  'update-routing',
  `update qr_codes set rules = $2::json, fallback_url = $3, starts_at = $4, expires_at = $5, max_scans = $6,
          used_up_at = $7, forward_query = $8, append_query = $9::json
    where id = $1`,
);

/** Codes to be deleted, under the lock of the counts: no other code of the account is created or deleted meanwhile. */
export const lockToDelete = sql(
  'lock-codes-to-delete',
  `select id, number, status, archived, made_by, link_key as key, revision from qr_codes
    where id = any($3::uuid[]) and account_id = $1 and mode = $2 and status <> 'deleted'
    order by id for update`,
);

/** Read before the lock, so that their edits can be deleted first. */
export const nextToDelete = sql(
  'next-to-delete',
  `select id from qr_codes
    where account_id = $1 and mode = $2 and status <> 'deleted'
    order by archived, number limit $3`,
);

export const softDeleteCodes = sql(
  'soft-delete-codes',
  change(
    `status = 'deleted', name = '', destination_url = '', style = '{}', made_by_id = null, updated_at = $2, host = null,
     note = null, external_id = null, metadata = '{}', rules = null, fallback_url = null, starts_at = null,
     expires_at = null, max_scans = null, used_up_at = null, forward_query = false, append_query = null,
     placement_keys = null, archived = false`,
    'id = any($1::uuid[])',
  ),
);
