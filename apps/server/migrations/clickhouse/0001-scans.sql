-- One row a scan. Analytics ask by account, code and period, which is the order of the rows; erasure asks by account and
-- code. What ingest asks after a crash, the rows of a shard beyond a position, is found by the skip indexes: in a part of
-- old rows no granule reaches that position, so only what was written or merged lately is opened. Positions begin again
-- with every log, so the number of the log has an index too.
--
-- The projections are figures beside the rows, so that a question costs by its days and not by its scans. A projection is
-- part of the part that holds its rows: both are there or neither is, and they are merged together. ClickHouse takes a
-- projection by itself where a question asks for nothing but its keys, written as they are here.
create table if not exists scans (
  account_id     UUID                   comment 'The account that owns the code',
  qr_code_id     UUID                   comment 'The code that was scanned',
  at             DateTime64(3, 'UTC')   comment 'When the redirect was requested',
  id             UUID                   comment 'The scan, as callers see it',
  mode           LowCardinality(String) comment 'live or test',
  country        LowCardinality(String) comment 'ISO 3166 code of two letters, XX where it is not known',
  region         LowCardinality(String) comment 'Empty where it is not known',
  city           String                 comment 'Empty where it is not known',
  device         LowCardinality(String) comment 'ios, android, desktop or other',
  browser        LowCardinality(String) comment 'safari, chrome, samsung_browser, firefox, edge or other',
  visitor        UUID                   comment '128 bits of an HMAC by the salt of the window: the same for the same visitor of an account within it',
  -- Rows from before visitors had numbers get 64 bits of a hash: a visitor who scanned before and after counts as two.
  visitor_number UInt64 default bitOr(sipHash64(visitor), 9223372036854775808)
                                        comment 'The number of the visitor, given out by ingest: bitmaps of these numbers count distinct visitors',
  time_window    LowCardinality(String) comment 'The window of time in which a visitor counts once: 2026-11, or 2026-11-15',
  is_unique      Bool                   comment 'The first scan of this code by this visitor in the window',
  shard          UInt16                 comment 'The shard of the scan log that it came by',
  log_number     UInt32 default 0       comment 'The log of the shard that the position is in; see scan_logs in PostgreSQL',
  position       UInt64                 comment 'Its entry in that log',
  place          UInt32                 comment 'Its index within the entry, from 0',
  rule_id        UUID                   comment 'The rule that chose the destination; zero where none did',
  target_id      UUID                   comment 'The target that it led to; zero for the default one of the code',
  placement      LowCardinality(String) comment 'Where the code was, as the owner named the place; empty where it is not named',
  language       LowCardinality(String) comment 'The language that the scanner prefers, without its region; empty where it is not known',
  index scans_shard shard type set(16) granularity 1,
  index scans_position position type minmax granularity 1,
  index scans_log log_number type minmax granularity 1,
  -- By quarters of an hour, since every time zone of today begins its days at one.
  projection code_quarters (
    select account_id, mode, qr_code_id, toStartOfFifteenMinutes(at), count(), groupBitmap(visitor_number)
     group by account_id, mode, qr_code_id, toStartOfFifteenMinutes(at)
  ),
  projection code_days (
    select account_id, mode, qr_code_id, toDate(at), device, browser, count(), groupBitmap(visitor_number)
     group by account_id, mode, qr_code_id, toDate(at), device, browser
  ),
  projection code_places (
    select account_id, mode, qr_code_id, toDate(at), country, city, count()
     group by account_id, mode, qr_code_id, toDate(at), country, city
  ),
  projection code_targets (
    select account_id, mode, qr_code_id, toDate(at), target_id, placement, count(), groupBitmap(visitor_number)
     group by account_id, mode, qr_code_id, toDate(at), target_id, placement
  ),
  projection account_quarters (
    select account_id, mode, toStartOfFifteenMinutes(at), count(), groupBitmap(visitor_number)
     group by account_id, mode, toStartOfFifteenMinutes(at)
  ),
  projection account_days (
    select account_id, mode, toDate(at), device, browser, count(), groupBitmap(visitor_number)
     group by account_id, mode, toDate(at), device, browser
  ),
  projection account_places (
    select account_id, mode, toDate(at), country, city, count()
     group by account_id, mode, toDate(at), country, city
  )
)
engine = MergeTree
partition by toYYYYMM(at)
order by (account_id, qr_code_id, at, id)
settings
  -- A block that is sent twice under one token is taken once: an insert whose answer was lost can be repeated.
  non_replicated_deduplication_window = 1000,
  -- An acknowledged row is on the disk, not only with the operating system.
  fsync_after_insert = 1,
  fsync_part_directory = 1,
  -- A lightweight delete drops the projections of the parts that it touches: it is quick, and what is asked of these parts
  -- is computed from the rows until they are merged again. Making them again at once would take minutes on a large part.
  lightweight_mutation_projection_mode = 'drop'
comment 'Scans, for analytics. Written by ingest alone.';
