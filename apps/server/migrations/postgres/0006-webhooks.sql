create table webhook_endpoints (
  id               uuid primary key,
  account_id       uuid not null references accounts (id),
  mode             mode not null,
  url              text not null,
  description      text not null,
  events           text[] not null default '{scan.created}',
  enabled          boolean not null,
  disabled_reason  text check (disabled_reason in ('by_owner', 'gone', 'failing')),
  secret           bytea not null,
  old_secret       bytea,
  old_secret_until timestamptz,
  proven_at        timestamptz,
  failing_since    timestamptz,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  deleted_at       timestamptz,
  created_by       uuid references auth_users (id) on delete set null,
  include_code_details boolean not null default false,
  constraint webhook_endpoints_old_secret_ends check ((old_secret is null) = (old_secret_until is null)),
  constraint webhook_endpoints_disabled_for_a_reason check (enabled = (disabled_reason is null))
);

create index webhook_endpoints_account on webhook_endpoints (account_id, mode, created_at) where deleted_at is null;
create index webhook_endpoints_deleted on webhook_endpoints (deleted_at) where deleted_at is not null;

comment on table webhook_endpoints is
  'Where an account wants to be notified. The row is read just before each attempt, so that a change holds for every attempt that begins after it.';
comment on column webhook_endpoints.events is 'The kinds of event that are sent there.';
comment on column webhook_endpoints.secret is
  'Encrypted by AES-256-GCM under a key of the environment; the name of that key is part of the value.';
comment on column webhook_endpoints.old_secret is 'While a secret rotates: the one before, which signs too until old_secret_until.';
comment on column webhook_endpoints.proven_at is
  'The first 2xx since the URL was set. Until then an endpoint gets a few attempts per minute.';
comment on column webhook_endpoints.failing_since is
  'The first failed attempt since the last success. After five days the endpoint is disabled.';
comment on column webhook_endpoints.deleted_at is 'Its messages are removed some at a time, then the row.';
comment on column webhook_endpoints.include_code_details is
  'Whether its scan events say the rule, the target, the placement, and what the owner knows the code by.';

create table webhook_messages (
  id              uuid primary key,
  endpoint_id     uuid not null,
  account_id      uuid not null,
  mode            mode not null,
  qr_code_id      uuid,
  event           text not null default 'scan.created',
  body            text not null,
  trace           text,
  created_at      timestamptz not null,
  status          text not null check (status in ('pending', 'failed')),
  tries           integer not null,
  attempts        integer not null,
  next_at         timestamptz,
  waiting_for     text check (waiting_for in ('host_rate', 'first_success')),
  last_at         timestamptz,
  response_status integer,
  error           text,
  constraint webhook_messages_pending_is_due check ((status = 'pending') = (next_at is not null))
);

-- What is due is looked for endpoint by endpoint, so that the backlog of one costs the others nothing.
create index webhook_messages_due on webhook_messages (endpoint_id, next_at) where status = 'pending';
create index webhook_messages_waiting on webhook_messages (waiting_for, endpoint_id) where waiting_for is not null;
create index webhook_messages_list on webhook_messages (endpoint_id, status, created_at, id);
create index webhook_messages_code on webhook_messages (qr_code_id);
create index webhook_messages_failed on webhook_messages (created_at) where status = 'failed';

comment on table webhook_messages is
  'Messages that the first attempt did not deliver, or that were deferred: those with an attempt to come, and those that failed for good. Delivered ones have no row; the log of attempts has them.';
comment on column webhook_messages.id is 'The webhook-id, derived from event and endpoint.';
comment on column webhook_messages.qr_code_id is 'Null: the event is about no code, as a test is.';
comment on column webhook_messages.event is 'Every kind but scan.created is written here in the transaction of the change.';
comment on column webhook_messages.trace is
  'The traceparent of the scan, so that later attempts are part of its trace. Null: not traced.';
comment on column webhook_messages.tries is 'Attempts in this round of the schedule; a replay begins a new round.';
comment on column webhook_messages.attempts is 'All attempts.';
comment on column webhook_messages.next_at is
  'When the next attempt is due. A process moves it on before it tries, so that no other does meanwhile.';
comment on column webhook_messages.waiting_for is
  'The limit that it waits for, if any: the rate of its host, or the first success of its endpoint.';

create table webhook_attempts (
  at              timestamptz not null,
  created_at      timestamptz not null,
  message_id      uuid not null,
  endpoint_id     uuid not null,
  qr_code_id      uuid,
  attempt         integer not null,
  duration_ms     integer not null,
  response_status integer,
  event           text not null,
  status          text not null check (status in ('delivered', 'pending', 'failed')),
  error           text,
  body            text not null,
  response        text not null,
  -- In the order of a list, which reads nothing but this index to find its page and its total.
  primary key (endpoint_id, created_at, message_id, at, attempt) include (status)
) partition by range (at);

create index webhook_attempts_message on webhook_attempts (message_id);
create index webhook_attempts_code on webhook_attempts (qr_code_id);

comment on table webhook_attempts is
  'The log of webhook attempts, for thirty days: written with the state of their message. Each day in UTC is a partition, which deliver creates ahead of time and drops whole.';
comment on column webhook_attempts.at is 'When the attempt began.';
comment on column webhook_attempts.created_at is 'When the event happened.';
comment on column webhook_attempts.message_id is 'The webhook-id: the same for every attempt of the message.';
comment on column webhook_attempts.qr_code_id is 'The code that the event is about. Null: it is about none, as a test is.';
comment on column webhook_attempts.attempt is 'Which attempt of the message, from 1.';
comment on column webhook_attempts.response_status is 'Of the response; null where none came.';
comment on column webhook_attempts.status is 'The message after this attempt.';
comment on column webhook_attempts.error is 'Why it failed; null where it did not.';
comment on column webhook_attempts.body is 'What was sent, so that a delivered message can be sent again.';
comment on column webhook_attempts.response is 'The beginning of the response.';

create table webhook_publications (
  token text primary key,
  at    timestamptz not null default now()
);

create index webhook_publications_at on webhook_publications (at);

comment on table webhook_publications is
  'Groups of scans whose webhook messages are in the queue, so that a group that is repeated is not published again. Kept for a day.';
comment on column webhook_publications.token is 'Names the group.';

create table webhook_queue (
  n            bigint generated always as identity primary key,
  id           uuid not null unique,
  account_id   uuid not null,
  message      text not null,
  leased_until timestamptz,
  done_at      timestamptz
);

create index webhook_queue_waiting on webhook_queue (n) where done_at is null;
create index webhook_queue_done on webhook_queue (done_at) where done_at is not null;

comment on table webhook_queue is
  'New webhook messages before their first attempt, where no NATS holds them: `signpost solo`. The id of a message that has left it is kept for two minutes, so that a message published twice is stored once.';
comment on column webhook_queue.n is 'The order of publication.';
comment on column webhook_queue.id is 'The id of the message, which is its webhook-id.';
comment on column webhook_queue.message is 'The message as JSON; empty once it has left the queue.';
comment on column webhook_queue.leased_until is 'A process is attempting it until then; null if none is.';
comment on column webhook_queue.done_at is 'When it was attempted, or moved to webhook_messages.';
