create table idempotency_keys (
  account_id  uuid not null references accounts (id),
  mode        mode not null,
  key         text not null,
  fingerprint bytea not null,
  status      smallint not null,
  body        text not null,
  created_at  timestamptz not null,
  primary key (account_id, mode, key)
);

-- For the removal of keys after their day.
create index idempotency_keys_created on idempotency_keys (created_at);

comment on table idempotency_keys is
  'The first response to a POST with an Idempotency-Key, written in the transaction that did the work.';
comment on column idempotency_keys.fingerprint is 'SHA-256 of operation and body: tells a retry from another request.';

create table backups (
  id          bigint generated always as identity primary key,
  finished_at timestamptz not null default now(),
  kind        text not null check (kind in ('full', 'recorded', 'none')),
  bytes       bigint
);

comment on table backups is 'When whole backups were finished, so that their absence is noticed. The newest are kept.';
comment on column backups.finished_at is
  'By the clock of PostgreSQL. For a restored backup the moment that it shows, so that a copy never looks newer than it is.';
comment on column backups.kind is
  'full: by `signpost backup`. recorded: by other means, as `signpost backup --record` was told. none: no backup, but since when one has been expected.';
comment on column backups.bytes is 'Of all its files. Null: not known.';

insert into backups (kind) values ('none');
