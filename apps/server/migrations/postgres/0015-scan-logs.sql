-- Every log that a shard has ever had, numbered from 0. A stream that was emptied, deleted and made again, or put back to
-- an older state hands out positions for the second time; with the number of its log a position means one entry only.
create table scan_logs (
  shard        integer not null check (shard between 0 and 65535),
  number       integer not null,
  -- When the stream was created, as NATS says it. Null until ingest has looked.
  created      text,
  begun_at     timestamptz not null default now(),
  -- The last entry that ingest has seen in the log, counted or not, and when the log took it (by the clock of NATS).
  reached      bigint not null default 0,
  reached_ms   bigint,
  -- The last entry that any redirect has had an ack for.
  acked        bigint not null default 0,
  -- Set when another log took its place: how far this one was counted, and how many of the entries behind that are in
  -- the log that came after, which is an older copy then. The others are lost.
  replaced_at  timestamptz,
  counted_to   bigint,
  kept_entries bigint,
  lost_entries bigint generated always as (greatest(reached, acked, counted_to) - counted_to - kept_entries) stored,
  primary key (shard, number)
);

-- The log that the position is in, and the entry at the position: the id of its batch and when the log took it. The mark
-- holds only where `marked_position` is the position; an older version moves the position without it.
alter table ingest_positions
  add column log integer not null default 0,
  add column marked_position bigint,
  add column mark_batch text,
  add column mark_ms bigint;

-- An open group keeps its entries as they lie in the log, so that it can be stored although the log is gone. Null where an
-- older version counted it. They are removed within a second or so: compressing them would be wasted work.
alter table ingest_groups
  add column log integer not null default 0,
  add column entries bytea,
  drop constraint ingest_groups_pkey,
  add primary key (shard, log, to_position);
alter table ingest_groups alter column entries set storage external;

-- What was set aside is kept as the bytes that lay in the log.
alter table ingest_set_aside
  add column log integer not null default 0,
  alter column entry type bytea using convert_to(entry, 'UTF8'),
  drop constraint ingest_set_aside_pkey,
  add primary key (shard, log, position);
