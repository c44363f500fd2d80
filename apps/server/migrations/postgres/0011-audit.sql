create table audit_heads (
  account_id uuid not null references accounts (id),
  mode       mode not null,
  last       bigint not null,
  primary key (account_id, mode)
);

comment on table audit_heads is
  'The last number of each audit log. Its row is locked from the last statement of a change to its commit, so numbers appear in order and without gaps.';

create table audit_events (
  account_id uuid not null references accounts (id),
  mode       mode not null,
  number     bigint not null,
  id         uuid not null default gen_random_uuid(),
  at         timestamptz not null default clock_timestamp(),
  action     text not null,
  actor_kind text not null check (actor_kind in ('key', 'user', 'operator', 'nobody')),
  actor_id   uuid,
  request_id text,
  subjects   text[] not null,
  detail     jsonb not null,
  primary key (account_id, mode, number)
);

-- For the removal of old events: they are written in the order of time.
create index audit_events_at on audit_events using brin (at);

comment on table audit_events is
  'Who did what in an account. Ids, names of fields, hosts and counts; never a name of a person or a code, and never a URL.';
comment on column audit_events.mode is 'What concerns both modes, such as keys and people, is in the log of live mode.';
comment on column audit_events.action is 'The id of the operation, or failedSignIn.';
comment on column audit_events.subjects is 'Ids as callers see them, such as qr_….';
comment on column audit_events.detail is 'fields: names of those that were sent; hosts: of new destinations; counts: of a bulk.';
