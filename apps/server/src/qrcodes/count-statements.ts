import { sql } from '../platform/postgres/postgres.ts';

export const findCounts = sql(
  'find-code-counts',
  'select active, paused, draft, archived, made_by_api from code_counts where account_id = $1 and mode = $2',
);

export const lockCounts = sql(
  'lock-code-counts',
  'select from code_counts where account_id = $1 and mode = $2 for update',
);

const findBucket = (direction: 'asc' | 'desc') => `select bucket, before
     from (select bucket, held, sum(held) over (order by bucket ${direction})::bigint - held as before
             from (select bucket,
                          case $3::text when 'active' then active when 'paused' then paused when 'draft' then draft
                                        when 'archived' then archived else active + paused + draft end as held
                     from count_buckets where account_id = $1 and mode = $2) counted) placed
    where before <= $4 and before + held > $4`;

/** The bucket, counted from the newest, that holds the code at an offset, and how many codes lie before it. */
export const findBucketFromNewest = sql('find-count-bucket-from-newest', findBucket('desc'));
/** The same, counted from the oldest. */
export const findBucketFromOldest = sql('find-count-bucket-from-oldest', findBucket('asc'));

/** Adds to the counts of the account and of each bucket. */
export const adjustCounts = sql(
  'adjust-counts',
  `with added as (
     select * from unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
                as added (bucket, active, paused, draft, archived)
   ), counts as (
     update code_counts
        set active = active + (select sum(active) from added), paused = paused + (select sum(paused) from added),
            draft = draft + (select sum(draft) from added), archived = archived + (select sum(archived) from added),
            made_by_api = made_by_api + $8
      where account_id = $1 and mode = $2
   )
   update count_buckets b
      set active = b.active + added.active, paused = b.paused + added.paused, draft = b.draft + added.draft,
          archived = b.archived + added.archived
     from added where b.account_id = $1 and b.mode = $2 and b.bucket = added.bucket`,
);

export const deleteEmptyBuckets = sql(
  'delete-empty-count-buckets',
  `delete from count_buckets
    where account_id = $1 and mode = $2 and bucket = any($3::bigint[]) and active + paused + draft + archived = 0`,
);

/** Whatever their values are. */
export const deleteCounts = sql(
  'delete-code-counts',
  `with buckets as (delete from count_buckets where account_id = $1 and mode = $2)
   delete from code_counts where account_id = $1 and mode = $2`,
);

/** The lock on the account orders it with the closing of the account, after which no code may be created. */
export const insertCounts = sql(
  'insert-code-counts',
  `insert into code_counts (account_id, mode)
   select id, $2 from accounts
    where id = $1 and closed_at is null
      and not exists (select from code_counts where account_id = $1 and mode = $2)
      for share
   on conflict do nothing
   returning true as added`,
);
