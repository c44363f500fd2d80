-- The first answer to a POST with an Idempotency-Key, written in the transaction that did the work.
create table idempotency_keys (
  account_id  uuid not null references accounts (id),
  mode        mode not null,
  key         text not null,
  fingerprint bytea not null, -- SHA-256 of operation and body: tells a retry from another request
  status      smallint not null,
  body        text not null,
  created_at  timestamptz not null,
  primary key (account_id, mode, key)
);

-- For the removal of keys past their day.
create index idempotency_keys_created on idempotency_keys (created_at);
