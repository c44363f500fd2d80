-- One row a scan. Analytics ask by account, code and period, which is the order of the rows; erasure asks by account and
-- code. What ingest asks after a crash, the rows of a shard beyond a position, is found by the two skip indexes: in a
-- part of old rows no granule reaches that position, so only what was written or merged lately is opened.
create table if not exists scans (
  account_id  UUID                   comment 'Whose code it was',
  qr_code_id  UUID                   comment 'The code that was scanned',
  at          DateTime64(3, 'UTC')   comment 'When the redirect was asked for',
  id          UUID                   comment 'The scan, as callers see it',
  mode        LowCardinality(String) comment 'live or test',
  country     LowCardinality(String) comment 'ISO 3166 code of two letters, XX where it is not known',
  region      LowCardinality(String) comment 'Empty where it is not known',
  city        String                 comment 'Empty where it is not known',
  device      LowCardinality(String) comment 'ios, android, desktop or other',
  browser     LowCardinality(String) comment 'safari, chrome, samsung_browser, firefox, edge or other',
  visitor     UUID                   comment '128 bits of an HMAC by the salt of the window: the same for the same visitor of an account within it',
  time_window LowCardinality(String) comment 'The window of time in which a visitor counts once: 2026-11, or 2026-11-15',
  is_unique   Bool                   comment 'The first scan of this code by this visitor in the window',
  shard       UInt16                 comment 'The part of the scan log that it came by',
  position    UInt64                 comment 'Its entry in that part of the log',
  place       UInt32                 comment 'Its place within the entry, from 0',
  index scans_shard shard type set(16) granularity 1,
  index scans_position position type minmax granularity 1
)
engine = MergeTree
partition by toYYYYMM(at)
order by (account_id, qr_code_id, at, id)
settings
  -- A block that is sent twice under one token is taken once: an insert whose answer was lost can be repeated.
  non_replicated_deduplication_window = 1000,
  -- An acknowledged row is on the disk, not only with the system.
  fsync_after_insert = 1,
  fsync_part_directory = 1
comment 'Scans, for analytics. Written by ingest alone.';
