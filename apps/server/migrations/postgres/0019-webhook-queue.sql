-- The queue of new webhook messages for an installation without NATS (`signpost solo`).
create table webhook_queue (
  n bigint generated always as identity primary key,
  id uuid not null unique,
  account_id uuid not null,
  message text not null,
  leased_until timestamptz,
  done_at timestamptz
);
comment on table webhook_queue is 'New webhook messages before their first attempt, where no NATS holds them: `signpost solo`. The id of a message that has left it is kept for two minutes, so that a message published twice is stored once.';
comment on column webhook_queue.n is 'The order of publication.';
comment on column webhook_queue.id is 'The id of the message, which is its webhook-id.';
comment on column webhook_queue.message is 'The message as JSON; empty once it has left the queue.';
comment on column webhook_queue.leased_until is 'A process is attempting it until then; null if none is.';
comment on column webhook_queue.done_at is 'When it was attempted, or moved to webhook_messages.';

create index webhook_queue_waiting on webhook_queue (n) where done_at is null;
create index webhook_queue_done on webhook_queue (done_at) where done_at is not null;
