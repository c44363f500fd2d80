import { sql } from '../platform/postgres.ts';

/**
 * One statement, so that a create costs one trip: takes the account's lock, checks the quota against the row it
 * has locked, hands out the numbers, writes the codes and adds them to their blocks. No row: the quota is full, or
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
        and ($6::bigint is null or $3 + case $7 when 'api' then made_by_api else active + paused + draft end <= $6)
      returning last_number - $3 as base
   ), made as (
     insert into qr_codes (id, account_id, mode, number, status, made_by, short_code, name, destination_url, style,
                           created_at, updated_at, made_by_id)
     select item.id, $1, $2, tally.base + item.position, item.status::qr_code_status, $15, item.short_code,
            item.name, item.destination_url, item.style::jsonb, $8, $8, $16
       from tally,
            unnest($9::uuid[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[]) with ordinality
              as item (id, status, short_code, name, destination_url, style, position)
     returning number, status
   ), blocks as (
     insert into code_blocks as kept (account_id, mode, block, active, draft)
     select $1, $2, number / 1000, count(*) filter (where status = 'active'), count(*) filter (where status = 'draft')
       from made group by number / 1000
     on conflict (account_id, mode, block) do update
        set active = kept.active + excluded.active, draft = kept.draft + excluded.draft
   )
   select number from made order by number`,
);

const anybodys = 'select id, account_id, mode, status, short_code, destination_url from qr_codes';

/** Codes of everybody in the order of their ids, a bounded number of rows whatever is in them. */
export const walkCodes = sql('walk-codes', `${anybodys} where id > $1 order by id limit $2`);
export const findByShortCode = sql('find-by-short-code', `${anybodys} where lower(short_code) = $1`);

export const findTaken = sql(
  'find-taken',
  'select lower(short_code) as folded from qr_codes where lower(short_code) = any($1)',
);

export const findTally = sql(
  'find-tally',
  'select active, paused, draft, made_by_api from code_tallies where account_id = $1 and mode = $2',
);

export const lockTally = sql(
  'lock-tally',
  'select from code_tallies where account_id = $1 and mode = $2 for update',
);

const columns = `c.id, c.mode, c.number, c.status, c.made_by, c.short_code, c.name, c.destination_url, c.style,
  c.created_at, c.updated_at, coalesce(s.total_scans, 0) as total_scans, coalesce(s.unique_scans, 0) as unique_scans`;

const one = `select ${columns}
   from qr_codes c left join scan_counts s on s.qr_code_id = c.id
  where c.id = $1 and c.account_id = $2 and c.mode = $3 and c.status <> 'deleted'`;

export const findCode = sql('find-code', one);
export const lockCode = sql('lock-code', `${one} for update of c`);

export const findAny = sql('find-any-code', 'select short_code, style, status from qr_codes where id = $1');

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

/** Each is swept twice within a minute of its deletion; then nothing of it is left or still to come. */
export const findJustDeleted = sql(
  'find-just-deleted',
  `select qr_code_id as id from erasures where account_id = $1 and mode = $2 and sweeps < 2
    order by requested_at limit 1000`,
);

/** Changes a code, and writes down that redirects are to be told. */
const change = (assignments: string) =>
  `with changed as (update qr_codes set ${assignments} where id = $1 returning lower(short_code) as short_code)
   insert into link_changes (short_code) select short_code from changed`;

export const updateCode = sql(
  'update-code',
  change('name = $2, destination_url = $3, status = $4, updated_at = $5'),
);

export const buryCode = sql(
  'bury-code',
  change(
    `status = 'deleted', name = '', destination_url = '', style = '{}', made_by_id = null, updated_at = $2`,
  ),
);

/** Claims those that nobody else has, or whose claim has run out. The first look costs less, and mostly finds nothing. */
export const anyChange = sql('any-link-change', 'select from link_changes limit 1');
export const claimChanges = sql(
  'claim-link-changes',
  `update link_changes set claimed_at = now()
    where n = any(array(
      select n from link_changes where claimed_at is null or claimed_at < now() - $2 * interval '1 millisecond'
       order by n limit $1 for update skip locked))
   returning n, short_code`,
);
export const deleteChanges = sql('delete-link-changes', 'delete from link_changes where n = any($1)');

export const deleteScanCounts = sql('delete-scan-counts', 'delete from scan_counts where qr_code_id = $1');

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

export const deleteEmptyBlock = sql(
  'delete-empty-block',
  'delete from code_blocks where account_id = $1 and mode = $2 and block = $3 and active + paused + draft = 0',
);

export const someOfAccount = sql(
  'some-of-account',
  `select id, mode from qr_codes where account_id = $1 and status <> 'deleted'
    order by account_id, mode, number limit $2`,
);

export const deleteEmptyTallies = sql(
  'delete-empty-tallies',
  'delete from code_tallies where account_id = $1 and active + paused + draft = 0',
);

export const findTallies = sql('find-tallies', 'select mode from code_tallies where account_id = $1');
