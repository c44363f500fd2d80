-- One row a try to deliver a webhook message. A row may come twice, under the same id: whoever reads counts ids. Lists ask
-- by endpoint, newest event first, which is the order of the rows; one delivery is found by the skip index.
create table if not exists webhook_attempts (
  account_id      UUID                   comment 'Whose endpoint it was',
  endpoint_id     UUID                   comment 'Where it was sent',
  created_at      DateTime64(3, 'UTC')   comment 'When the event happened',
  message_id      UUID                   comment 'The webhook-id: the same for every try of the message',
  at              DateTime64(3, 'UTC')   comment 'When the try began',
  id              UUID                   comment 'The try',
  mode            LowCardinality(String) comment 'live or test',
  qr_code_id      UUID                   comment 'The code that was scanned; zero for a test',
  attempt         UInt32                 comment 'Which try of the message, from 1',
  duration_ms     UInt32                 comment 'How long it took',
  response_status UInt16                 comment 'Of the answer; 0 where none came',
  error           LowCardinality(String) comment 'Why it failed; empty where it did not',
  response        String                 comment 'The beginning of the answer',
  status          LowCardinality(String) comment 'The message after this try: delivered, pending or failed',
  body            String                 comment 'What was sent' codec(ZSTD(3)),
  index webhook_attempts_message message_id type bloom_filter granularity 4
)
engine = ReplacingMergeTree
partition by toYYYYMMDD(at)
order by (account_id, endpoint_id, created_at, message_id, at, id)
ttl toDateTime(at) + interval 30 day
settings
  ttl_only_drop_parts = 1,
  non_replicated_deduplication_window = 1000,
  fsync_after_insert = 1,
  fsync_part_directory = 1
comment 'The log of webhook deliveries, for thirty days. Written by deliver alone.';
