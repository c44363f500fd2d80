-- How far each shard of the scan log has been counted. Whoever works on a shard says so here again and again; a row whose
-- owner has been silent for some seconds may be taken over. The position moves in the transaction that counts.
create table ingest_positions (
  shard      integer primary key check (shard between 0 and 65535),
  position   bigint not null default 0,
  owner      uuid,
  seen_at    timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Groups of log entries that are counted here but perhaps not yet in ClickHouse: one or two a shard. Written with the
-- counts, removed when ClickHouse has the rows, and done again from the log after a crash.
create table ingest_groups (
  shard          integer not null references ingest_positions (shard),
  after_position bigint not null,
  to_position    bigint not null,
  -- One byte a scan in the order of the log: 0 left out, 1 kept, 2 kept and the first of its visitor. Written down since
  -- another shard may have counted the same visitor by the time that the group is done again.
  verdicts       bytea not null,
  primary key (shard, to_position)
);

-- Batches that were counted. A redirect that did not hear the log's answer sends its batch again, perhaps days later.
create table scan_batches (
  batch_id uuid primary key,
  at       timestamptz not null
);

-- For the removal of batches that are older than the log.
create index scan_batches_at on scan_batches (at);

-- Who has scanned a code in a window of time: a visitor counts once. At 100 million scans a month this has some tens of
-- millions of rows a window; a window that is over is dropped whole, as a table of its own, instead of row by row.
create table visitors (
  qr_code_id  uuid not null,
  time_window text collate "C" not null,
  visitor     uuid not null, -- 128 bits of an HMAC, as a uuid because that is 16 bytes and compared fast
  primary key (qr_code_id, time_window, visitor)
) partition by list (time_window);

-- Entries of the log that could not be taken, kept for a look by a person.
create table ingest_set_aside (
  shard    integer not null,
  position bigint not null,
  reason   text not null,
  entry    text not null,
  at       timestamptz not null default now(),
  primary key (shard, position)
);

-- Deleted codes whose scans are to be erased, written in the transaction that deletes the code. Each is swept at once, and
-- twice more for what was on its way meanwhile.
create table erasures (
  qr_code_id   uuid primary key,
  requested_at timestamptz not null,
  sweeps       smallint not null default 0,
  sweep_at     timestamptz not null default now()
);

create index erasures_sweep_at on erasures (sweep_at);
