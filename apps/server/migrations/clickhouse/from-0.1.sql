-- Brings the tables of 0.1 to the schema of 0001-scans and 0002-webhook-attempts, row by row untouched. Every statement
-- can be run again: a step that was cut off is run from its beginning.

-- Rows of 0.1 belong to the first log of their shard.
alter table scans add column if not exists log_number UInt32 default 0 after shard;
alter table scans add index if not exists scans_log log_number type minmax granularity 1;
alter table scans materialize index scans_log;

-- Scans of 0.1 led to the default target of their code.
alter table scans
  add column if not exists rule_id UUID comment 'The rule that chose the destination; zero where none did' after place,
  add column if not exists target_id UUID comment 'The target that it led to; zero for the default one of the code' after rule_id,
  add column if not exists placement LowCardinality(String) comment 'Where the code was, as the owner named the place; empty where it is not named' after target_id,
  add column if not exists language LowCardinality(String) comment 'The language that the scanner prefers, without its region; empty where it is not known' after placement;
alter table scans add projection if not exists code_targets (
  select account_id, mode, qr_code_id, toDate(at), target_id, placement, count(), groupBitmap(visitor_number)
   group by account_id, mode, qr_code_id, toDate(at), target_id, placement
) after code_places;
alter table scans materialize projection code_targets;

-- Messages of 0.1 are all about scans.
alter table webhook_attempts add column if not exists event LowCardinality(String) default 'scan.created';

-- Old days are dropped by PostgreSQL's clock instead of ClickHouse's. Where there is no TTL, none can be removed, so it is
-- first set to what 0.1 had, without rewriting any row.
alter table webhook_attempts modify ttl toDateTime(at) + interval 30 day settings materialize_ttl_after_modify = 0;
alter table webhook_attempts remove ttl;

-- Comments in the words of this version.
alter table scans
  comment column account_id 'The account that owns the code',
  comment column at 'When the redirect was requested',
  comment column visitor_number 'The number of the visitor, given out by ingest: bitmaps of these numbers count distinct visitors',
  comment column shard 'The shard of the scan log that it came by',
  comment column log_number 'The log of the shard that the position is in; see scan_logs in PostgreSQL',
  comment column position 'Its entry in that log',
  comment column place 'Its index within the entry, from 0';
alter table webhook_attempts
  comment column account_id 'The account that owns the endpoint',
  comment column message_id 'The webhook-id: the same for every attempt of the message',
  comment column at 'When the attempt began',
  comment column id 'The attempt',
  comment column qr_code_id 'The code that the event is about; zero for a test',
  comment column attempt 'Which attempt of the message, from 1',
  comment column response_status 'Of the response; 0 where none came',
  comment column response 'The beginning of the response',
  comment column status 'The message after this attempt: delivered, pending or failed',
  comment column event 'The kind of event, such as scan.created or qrcode.suspended';
alter table webhook_attempts modify comment 'The log of webhook attempts, for thirty days. Written by deliver alone.';
