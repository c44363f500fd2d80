-- Where an account wants to hear of its scans. Whoever dials reads the row just before, so that a change holds for every
-- try that begins after it.
create table webhook_endpoints (
  id               uuid primary key,
  account_id       uuid not null references accounts (id),
  mode             mode not null,
  url              text not null,
  description      text not null,
  enabled          boolean not null,
  disabled_reason  text check (disabled_reason in ('by_owner', 'gone', 'failing')),
  -- Sealed by AES-256-GCM under a key of the environment; which key is part of the seal.
  secret           bytea not null,
  -- While a secret rotates: the one before, and until when it signs too.
  old_secret       bytea,
  old_secret_until timestamptz,
  -- The first failed try since the last success. Five days of it disable the endpoint.
  failing_since    timestamptz,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  -- Its messages are removed some at a time, then the row goes.
  deleted_at       timestamptz,
  check ((old_secret is null) = (old_secret_until is null)),
  check (enabled = (disabled_reason is null))
);

create index webhook_endpoints_account on webhook_endpoints (account_id, mode, created_at) where deleted_at is null;
create index webhook_endpoints_deleted on webhook_endpoints (deleted_at) where deleted_at is not null;

-- Messages that the first try did not deliver, or for which there was no place: those with a try to come, and those that
-- failed for good. What was delivered has no row; the log of attempts in ClickHouse knows it.
create table webhook_messages (
  id              uuid primary key, -- the webhook-id, worked out of scan and endpoint
  endpoint_id     uuid not null,
  account_id      uuid not null,
  mode            mode not null,
  qr_code_id      uuid,             -- null: a test
  body            text not null,
  created_at      timestamptz not null,
  status          text not null check (status in ('pending', 'failed')),
  tries           integer not null, -- of this round of the schedule; a replay begins a new one
  attempts        integer not null, -- all of them
  -- When the next try is due. Whoever tries moves it on first, so that nobody else does until then.
  next_at         timestamptz,
  last_at         timestamptz,
  response_status integer,
  error           text,
  check ((status = 'pending') = (next_at is not null))
);

-- What is due is looked for endpoint by endpoint, so that the backlog of one costs the others nothing.
create index webhook_messages_due on webhook_messages (endpoint_id, next_at) where status = 'pending';
create index webhook_messages_list on webhook_messages (endpoint_id, status, created_at, id);
create index webhook_messages_code on webhook_messages (qr_code_id);
create index webhook_messages_failed on webhook_messages (created_at) where status = 'failed';

-- Attempts on their way to ClickHouse: written with the state of their message, removed when ClickHouse has them.
create table webhook_attempts (
  n          bigint generated always as identity primary key,
  message_id uuid not null,
  qr_code_id uuid,
  attempt    jsonb not null
);

create index webhook_attempts_message on webhook_attempts (message_id);
create index webhook_attempts_code on webhook_attempts (qr_code_id);

-- Groups of the scan log whose webhook messages are in the queue, so that a group that is done again, for as long as
-- ClickHouse is away perhaps, is not published again. Kept for a day.
create table webhook_announcements (
  token text primary key,
  at    timestamptz not null default now()
);

create index webhook_announcements_at on webhook_announcements (at);
