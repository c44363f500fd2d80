create table scan_counts (
  qr_code_id   uuid primary key,
  total_scans  bigint not null default 0,
  unique_scans bigint not null default 0
);

comment on table scan_counts is
  'Scans of a code. Apart from the code, so that counting never waits for an edit, nor an edit for counting. No row: no scan yet.';

create table not_redirected (
  qr_code_id uuid not null,
  day        date not null,
  reason     text not null check (reason ~ '^[a-z_]{1,32}$'),
  requests   bigint not null,
  primary key (qr_code_id, day, reason)
);

comment on table not_redirected is
  'Requests for codes that exist and do not redirect, by the day of UTC. They are not scans. Redirects hand them over every few seconds; a kill loses those of the last ones. Erased with the code.';

create table visitor_salts (
  "window"   text primary key,
  salt       bytea not null check (octet_length(salt) = 32),
  created_at timestamptz not null
);

comment on table visitor_salts is
  'The salt by which visitors of one window of time are hashed, shared by all processes. Destroyed two days after the window: from then on no hash can be computed again.';
comment on column visitor_salts."window" is '2026-11, or 2026-11-15.';

create table scan_logs (
  shard        integer not null check (shard between 0 and 65535),
  number       integer not null,
  created      text,
  begun_at     timestamptz not null default now(),
  reached      bigint not null default 0,
  reached_ms   bigint,
  acked        bigint not null default 0,
  replaced_at  timestamptz,
  counted_to   bigint,
  kept_entries bigint,
  lost_entries bigint generated always as (greatest(reached, acked, counted_to) - counted_to - kept_entries) stored,
  primary key (shard, number)
);

comment on table scan_logs is
  'Every log that a shard has had, numbered from 0. A stream that was emptied, made again or put back to an older state gives out positions a second time; with the number of its log a position means one entry only.';
comment on column scan_logs.created is 'When the stream was created, as NATS writes it. Null until ingest has asked.';
comment on column scan_logs.reached is 'The last entry that ingest has seen in the log, counted or not.';
comment on column scan_logs.reached_ms is 'When the log took that entry, by the clock of NATS.';
comment on column scan_logs.acked is 'The last entry that any redirect has an acknowledgement for.';
comment on column scan_logs.replaced_at is 'Set when another log took its place.';
comment on column scan_logs.counted_to is 'How far it was counted when it was replaced.';
comment on column scan_logs.kept_entries is
  'How many entries beyond counted_to are in the log that replaced it, which is an older copy then.';
comment on column scan_logs.lost_entries is 'The entries beyond counted_to that are in no log.';

create table ingest_positions (
  shard           integer primary key check (shard between 0 and 65535),
  log             integer not null default 0,
  position        bigint not null default 0,
  marked_position bigint,
  mark_batch      text,
  mark_ms         bigint,
  owner           uuid,
  seen_at         timestamptz not null default now(),
  updated_at      timestamptz not null default now()
);

comment on table ingest_positions is
  'How far each shard of the scan log is counted, and which process works on it. The position moves in the transaction that counts.';
comment on column ingest_positions.log is 'The number of the log (scan_logs) that the position is in.';
comment on column ingest_positions.marked_position is
  'The position that mark_batch and mark_ms belong to. They say nothing where it differs from position.';
comment on column ingest_positions.mark_batch is 'The id of the batch at that position.';
comment on column ingest_positions.mark_ms is 'When the log took it.';
comment on column ingest_positions.owner is
  'The process that works on the shard. After some seconds without a new seen_at another may take over.';

create table log_readers (
  process_id uuid primary key,
  version    smallint not null,
  seen_at    timestamptz not null
);

comment on table log_readers is
  'The running ingest processes and the newest layout of a batch that each can read. Redirects write the newest that all of them can.';
comment on column log_readers.version is 'The first byte of such a batch.';

create table ingest_groups (
  shard           integer not null references ingest_positions (shard),
  log             integer not null default 0,
  after_position  bigint not null,
  to_position     bigint not null,
  classifications bytea not null,
  numbers         bytea not null,
  entries         bytea not null,
  primary key (shard, log, to_position)
);

-- They are removed within a second or so: compressing them would be wasted work.
alter table ingest_groups alter column entries set storage external;

comment on table ingest_groups is
  'Groups of log entries that are counted but perhaps not yet in ClickHouse: one or two per shard. Written with the counts, removed when ClickHouse has the rows, repeated after a crash.';
comment on column ingest_groups.classifications is
  'One byte per scan in the order of the log: 0 skipped, 1 counted, 2 counted and the first of its visitor. Stored, since another shard may count the same visitor before the group is repeated.';
comment on column ingest_groups.numbers is
  'Six bytes per scan in the order of the log: the number of its visitor. Stored for the same reason.';
comment on column ingest_groups.entries is
  'The entries as they are in the log, so that the group can be stored although the log is gone.';

create table ingest_quarantine (
  shard    integer not null,
  log      integer not null default 0,
  position bigint not null,
  reason   text not null,
  entry    bytea not null,
  at       timestamptz not null default now(),
  primary key (shard, log, position)
);

comment on table ingest_quarantine is 'Log entries that could not be read, kept as they are for a person to look at.';

create table scan_batches (
  batch_id uuid primary key,
  at       timestamptz not null
);

create index scan_batches_at on scan_batches (at);

comment on table scan_batches is
  'Batches that were counted. A redirect that missed the log''s acknowledgement sends its batch again, perhaps days later. Removed when they are older than the log.';

-- At 100 million scans a month this has some tens of millions of rows per window. A window that is over is dropped whole, as
-- a partition, instead of row by row.
create table visitors (
  qr_code_id  uuid not null,
  time_window text collate "C" not null,
  visitor     uuid not null,
  primary key (qr_code_id, time_window, visitor)
) partition by list (time_window);

comment on table visitors is 'Who has scanned a code in a window of time, since a visitor counts once.';
comment on column visitors.visitor is '128 bits of an HMAC; a uuid takes 16 bytes and compares fast.';

-- One sequence for all: a number costs no lock, and the numbers that a rollback skips do no harm.
create sequence visitor_numbers;

create table account_visitors (
  account_id  uuid not null,
  time_window text collate "C" not null,
  visitor     uuid not null,
  number      bigint not null,
  primary key (account_id, time_window, visitor)
) partition by list (time_window);

comment on sequence visitor_numbers is 'The numbers of account_visitors.';
comment on table account_visitors is
  'A number for every visitor of an account in a window. Analytics store sets of visitors as bitmaps of these numbers, which unite exactly and stay small while numbers given out at about the same time lie close together.';

create table scans (
  account_id     uuid not null,
  mode           mode not null,
  qr_code_id     uuid not null,
  at             timestamptz(3) not null,
  id             uuid not null,
  country        text collate "C" not null,
  region         text collate "C" not null,
  city           text collate "C" not null,
  device         text collate "C" not null,
  browser        text collate "C" not null,
  language       text collate "C" not null,
  visitor        uuid not null,
  visitor_number bigint not null,
  time_window    text collate "C" not null,
  is_unique      boolean not null,
  rule_id        uuid not null,
  target_id      uuid not null,
  placement      text collate "C" not null,
  shard          integer not null,
  log_number     integer not null,
  position       bigint not null,
  place          integer not null
) partition by range (at);

-- For figures and lists, and for erasure.
create index scans_code on scans (account_id, mode, qr_code_id, at, id);
-- For the feed and the live view.
create index scans_log on scans (account_id, mode, shard, log_number, position, place);
-- The scans of a visitor before and after another, for the roll-ups.
create index scans_visitor on scans (visitor_number, at);
-- Rows arrive in the order of their time, so a few bytes per block find those of a few hours.
create index scans_at on scans using brin (at) with (pages_per_range = 16, autosummarize = on);

comment on table scans is
  'One row per scan, where no ClickHouse stores them; written in the transaction that counts the scan. One partition per month of UTC.';
comment on column scans.country is 'ISO 3166 code of two letters, XX where it is not known.';
comment on column scans.visitor is '128 bits of an HMAC by the salt of the window.';
comment on column scans.visitor_number is 'The number of the visitor in account_visitors: distinct visitors are counted by it.';
comment on column scans.is_unique is 'The first scan of this code by this visitor in the window.';
comment on column scans.rule_id is 'The rule that chose the target; zero where none did.';
comment on column scans.target_id is 'The target that it led to; zero for the destination of the code.';
comment on column scans.placement is 'The key of the placement; empty where there is none.';
comment on column scans.place is 'Its index within the entry of the log, from 0.';

create table scan_roll_ups (
  scope_id   uuid primary key,
  account_id uuid not null,
  created_at timestamptz not null default now()
);

comment on table scan_roll_ups is
  'The codes and accounts with so many scans that their figures come from scan_quarters, scan_repeats and scan_days. Whoever changes scans of one locks its row first.';
comment on column scan_roll_ups.scope_id is 'The code, or the account.';

create table scan_quarters (
  scope_id    uuid not null,
  mode        mode not null,
  time_window text collate "C" not null,
  quarter     timestamptz not null,
  scans       integer not null,
  firsts      integer not null,
  lasts       integer not null,
  primary key (scope_id, mode, quarter, time_window)
) partition by range (quarter);

comment on table scan_quarters is
  'Scans of a code or an account by quarter hour, since the days of every time zone begin at one. One partition per month of UTC.';
comment on column scan_quarters.firsts is
  'The first scans of their visitors in the month: their number answers distinct visitors of a range that begins before the window does.';
comment on column scan_quarters.lasts is
  'The last scans of their visitors in the month: the same for a range that ends after the window.';

create table scan_repeats (
  scope_id uuid not null,
  mode     mode not null,
  quarter  timestamptz not null,
  gap      smallint not null check (gap between 0 and 99),
  repeats  integer not null,
  primary key (scope_id, mode, quarter, gap)
) partition by range (quarter);

comment on table scan_repeats is
  'Scans in a quarter hour whose visitor scanned less than 25 hours before. The scans of a day without those whose visitor scanned before on that day are its distinct visitors.';
comment on column scan_repeats.gap is 'Quarter hours since the scan before by the same visitor.';

create table scan_days (
  scope_id uuid not null,
  mode     mode not null,
  kind     "char" not null check (kind in ('a', 'c', 'p', 't')),
  day      timestamptz not null,
  key_1    text collate "C" not null,
  key_2    text collate "C" not null,
  scans    integer not null,
  primary key (scope_id, mode, kind, day, key_1, key_2)
) partition by range (day);

comment on table scan_days is
  'Scans of a code or an account by day of UTC and two properties. What a range has besides whole days is counted from the rows.';
comment on column scan_days.kind is 'a: device and browser. c: the code, for accounts only. p: country and city. t: target and placement, for codes only.';

create table scan_store (
  is_only   boolean primary key default true check (is_only),
  store     text not null check (store in ('postgres', 'clickhouse')),
  moving_to text
);

comment on table scan_store is
  'Where the scans are stored, as the first process that stored or read any decided, or `signpost move-scans` since. A process that is set up for the other store does not start.';
comment on column scan_store.moving_to is 'The ClickHouse that `signpost move-scans` is copying scans to; null if it is not.';

create table scan_moves (
  month       text not null,
  shard       integer not null,
  id          uuid not null default gen_random_uuid(),
  log         integer not null default 0,
  position    bigint not null default -1,
  place       integer not null default -1,
  to_log      integer,
  to_position bigint,
  to_place    integer,
  rows        bigint not null default 0,
  primary key (month, shard)
);

comment on table scan_moves is
  'How far `signpost move-scans` has copied the scans of a month and shard, in the order of the log. Empty when the scans are moved.';
comment on column scan_moves.id is 'Part of the deduplication tokens: a month that is copied a second time has others.';
comment on column scan_moves.log is 'The number of the log of the last scan that is known to be copied; with its position and place.';
comment on column scan_moves.to_log is
  'The last scan of the insert that may be under way, written before it: after a crash the same rows are sent under the same token.';
comment on column scan_moves.rows is 'Scans that were copied.';

create table scan_retention (
  is_only       boolean primary key default true check (is_only),
  counted_from  text collate "C" not null default '2020-01' check (counted_from ~ '^\d{4}-\d\d$'),
  removed_from  text collate "C" check (removed_from ~ '^\d{4}-\d\d$'),
  retained_from text collate "C" check (retained_from ~ '^\d{4}-\d\d$'),
  run           uuid,
  run_at        timestamptz
);

insert into scan_retention default values;

comment on table scan_retention is
  'One row: which months of scans were removed (SCAN_RETENTION_MONTHS), as 2026-11. Nothing was removed while removed_from is null.';
comment on column scan_retention.counted_from is
  'Scans before this month are not counted any more. It moves before the sums of a month are made, so that none of its scans is missing in them.';
comment on column scan_retention.removed_from is 'The first month that has sums.';
comment on column scan_retention.retained_from is
  'The first month that figures take from the scans; those before have sums. It moves with the last sums of a month, and only then are its scans removed.';
comment on column scan_retention.run is 'The run that removes months. Another run takes over when run_at is old.';

create table scan_sums (
  account_id    uuid not null,
  mode          mode not null,
  qr_code_id    uuid not null,
  month         text collate "C" not null,
  kind          text collate "C" not null
                check (kind in ('total', 'device', 'browser', 'country', 'target', 'placement')),
  value         text collate "C" not null,
  scans         bigint not null,
  visitors      bigint not null,
  sole_visitors bigint not null default 0,
  code_visitors bigint not null default 0,
  primary key (account_id, mode, qr_code_id, month, kind, value)
);

create index scan_sums_month on scan_sums (month);

comment on table scan_sums is
  'Figures of months whose scans were removed: of a code, and of an account with the code zero. They are erased with the code.';
comment on column scan_sums.value is 'The device, country and so on; empty for the total.';
comment on column scan_sums.visitors is
  'Distinct visitors: of totals, and of targets and placements of codes. Other rows have 0.';
comment on column scan_sums.sole_visitors is
  'Of the total of a code: visitors who scanned no other code of the account that month. They leave the account with the code.';
comment on column scan_sums.code_visitors is
  'Of the total of an account: the visitors of its codes added up, which its own never exceed.';

create table erasures (
  qr_code_id   uuid primary key,
  account_id   uuid not null,
  mode         mode not null,
  requested_at timestamptz not null,
  sweeps       smallint not null default 0,
  sweep_at     timestamptz not null default now()
);

create index erasures_sweep_at on erasures (sweep_at);
create index erasures_owner on erasures (account_id, mode);

comment on table erasures is
  'Deleted codes whose scans are to be erased, written in the transaction that deletes the code. Each is swept at once, and twice more for scans that were on their way.';
comment on column erasures.account_id is
  'Analytics skip what is being erased. The row of a deleted test code may be gone before its scans are, so the owner is stored here.';

create table erasure_turns (
  task text primary key,
  at   timestamptz not null
);

comment on table erasure_turns is
  'When a task of erasure was last begun, for those that all ingest processes together may do only so often: hide rows in ClickHouse, and rewrite parts with hidden rows.';

create table hidden_months (
  month         text primary key,
  since         timestamptz not null default now(),
  asked_at      timestamptz,
  asked_version bigint
);

comment on table hidden_months is
  'Months of scans with hidden rows in ClickHouse, and since when: they leave the disk within a bounded time.';
comment on column hidden_months.asked_at is 'When ClickHouse was last told to rewrite the month.';
comment on column hidden_months.asked_version is 'The version that parts have from that rewrite on.';

create table spools_left (
  spool_id  uuid not null,
  host      text not null,
  directory text not null,
  scans     bigint not null,
  bytes     bigint not null,
  left_at   timestamptz not null default now(),
  primary key (spool_id, host)
);

comment on table spools_left is
  'Spools that a redirect left with scans in them when it stopped. Removed when a process works on that directory again, or when `signpost spool drain` has emptied it.';
comment on column spools_left.spool_id is
  'From the file spool-id in the directory: it stays with the disk, wherever that is mounted next.';
comment on column spools_left.host is 'The machine, the container or the pod.';

create table scan_spreads (
  account_id uuid not null references accounts (id),
  from_at    timestamptz not null,
  shards     integer not null check (shards between 1 and 256),
  primary key (account_id, from_at)
);

comment on table scan_spreads is
  'Accounts with so many scans that the operator has spread them over several shards of the scan log. No row: one shard.';
comment on column scan_spreads.from_at is
  'Scans from this moment on are spread like this. It is the start of a visitor window, unless the operator said otherwise.';
