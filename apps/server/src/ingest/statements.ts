import { sql } from '../platform/postgres/postgres.ts';

/** Claims a shard that has no live owner. No row: another process owns it. */
export const takeShard = sql(
  'take-shard',
  `insert into ingest_positions as held (shard, owner) values ($1, $2)
   on conflict (shard) do update set owner = $2, seen_at = now()
    where held.owner is null or held.owner = $2 or held.seen_at < now() - $3 * interval '1 millisecond'
   returning position, log, extract(epoch from now())::float8 * 1000 as now_ms,
             case when marked_position = position then mark_batch end as mark_batch,
             case when marked_position = position then mark_ms end as mark_ms`,
);

export const heartbeat = sql(
  'heartbeat',
  'update ingest_positions set seen_at = now() where shard = $1 and owner = $2',
);

export const releaseShard = sql(
  'release-shard',
  'update ingest_positions set owner = null where shard = $1 and owner = $2',
);

/** Advances the position and locks the shard until the end of the transaction. No row: the shard is no longer ours. */
export const movePosition = sql(
  'move-position',
  `update ingest_positions
      set position = $5, marked_position = $5, mark_batch = $6, mark_ms = $7, seen_at = now(), updated_at = now()
    where shard = $1 and owner = $2 and log = $3 and position = $4 returning shard`,
);

export const openGroups = sql(
  'open-groups',
  `select log, after_position, to_position, classifications, numbers, entries from ingest_groups where shard = $1
    order by log, to_position`,
);

export const openGroup = sql(
  'open-group',
  `insert into ingest_groups (shard, log, after_position, to_position, classifications, numbers, entries)
   values ($1, $2, $3, $4, $5, $6, $7)`,
);

export const closeGroup = sql(
  'close-group',
  'delete from ingest_groups where shard = $1 and log = $2 and to_position = $3',
);

/** Returns those that were new. */
export const addBatches = sql(
  'add-batches',
  `insert into scan_batches (batch_id, at) select id, now() from unnest($1::uuid[]) id order by id
   on conflict do nothing returning batch_id`,
);

export const existingCodes = sql(
  'existing-codes',
  `select id from qr_codes where id = any($1::uuid[]) and status <> 'deleted'`,
);

/** The numbers of those visitors that have one, with their ordinals from 1. The lateral join forces one index lookup each. */
export const knownVisitors = sql(
  'known-visitors',
  `select seen.n, known.number
     from unnest($1::uuid[], $2::text[], $3::uuid[]) with ordinality as seen (account_id, time_window, visitor, n),
          lateral (select number from account_visitors v
                    where v.account_id = seen.account_id and v.time_window = seen.time_window and v.visitor = seen.visitor
                    limit 1) known`,
);

/** Numbers visitors that have none, except those that another shard has just numbered. Ordered, to avoid deadlocks. */
export const numberVisitors = sql(
  'number-visitors',
  `with seen as (
     select * from unnest($1::uuid[], $2::text[], $3::uuid[]) with ordinality as s (account_id, time_window, visitor, n)
   ), added as (
     insert into account_visitors (account_id, time_window, visitor, number)
     select account_id, time_window, visitor, nextval('visitor_numbers')
       from (select * from seen order by account_id, time_window, visitor) ordered
     on conflict do nothing returning account_id, time_window, visitor, number
   )
   select seen.n, added.number from seen join added using (account_id, time_window, visitor)`,
);

/**
 * The ordinals, from 1, of those that were new. Ordered, so that the workers of two shards never deadlock.
 */
export const addVisitors = sql(
  'add-visitors',
  `with seen as (
     select * from unnest($1::uuid[], $2::text[], $3::uuid[]) with ordinality as s (qr_code_id, time_window, visitor, n)
   ), added as (
     insert into visitors (qr_code_id, time_window, visitor)
     select qr_code_id, time_window, visitor from seen order by qr_code_id, time_window, visitor
     on conflict do nothing returning qr_code_id, time_window, visitor
   )
   select seen.n from seen join added using (qr_code_id, time_window, visitor)`,
);

export const removeVisitors = sql(
  'remove-visitors',
  `delete from visitors v using unnest($1::uuid[], $2::text[], $3::uuid[]) as seen (qr_code_id, time_window, visitor)
    where v.qr_code_id = seen.qr_code_id and v.time_window = seen.time_window and v.visitor = seen.visitor`,
);

/**
 * A code that was deleted in the meantime gets no row; a row that slips through is removed with its erasure. Returns codes
 * that have reached their limit of scans just now.
 */
export const addCounts = sql(
  'add-counts',
  `with added as materialized (
     select c.id, added.total, added.uniques, c.max_scans
       from unnest($1::uuid[], $2::bigint[], $3::bigint[]) as added (id, total, uniques)
       join qr_codes c on c.id = added.id and c.status <> 'deleted'
      order by c.id
   ), counts as (
     insert into scan_counts as counted (qr_code_id, total_scans, unique_scans)
     select id, total, uniques from added
     on conflict (qr_code_id) do update
        set total_scans = counted.total_scans + excluded.total_scans,
            unique_scans = counted.unique_scans + excluded.unique_scans
     returning qr_code_id, total_scans
   )
   select added.id, counts.total_scans as "totalScans"
     from added join counts on counts.qr_code_id = added.id
    where added.max_scans <= counts.total_scans`,
);

export const quarantine = sql(
  'quarantine',
  `insert into ingest_quarantine (shard, log, position, reason, entry) values ($1, $2, $3, $4, $5)
   on conflict do nothing returning position`,
);
