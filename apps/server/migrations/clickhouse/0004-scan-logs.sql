-- Earlier rows belong to the first log of their shard.
alter table scans add column if not exists log_number UInt32 default 0
  comment 'The log of the shard that the position is in; see scan_logs in PostgreSQL' after shard;

-- Positions begin again with every log: without this index, the rows of a new log would be looked for among all old ones.
alter table scans add index if not exists scans_log log_number type minmax granularity 1;
alter table scans materialize index scans_log;
