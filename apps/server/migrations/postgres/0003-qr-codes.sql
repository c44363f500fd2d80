create type qr_code_status as enum ('active', 'paused', 'draft', 'deleted');
comment on type qr_code_status is 'What a code does when it is scanned. Deleted codes are tombstones.';

create table qr_codes (
  id              uuid primary key,
  account_id      uuid not null references accounts (id),
  mode            mode not null,
  number          bigint not null,
  status          qr_code_status not null,
  key_space       text collate "C" not null default '',
  short_code      text collate "C" not null,
  name            text not null,
  destination_url text not null,
  style           jsonb not null,
  made_by         text not null check (made_by in ('api', 'dashboard')),
  made_by_id      uuid,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  constraint qr_codes_key_space check ((mode = 'test') = (key_space like 't/%')),
  constraint qr_codes_tombstone check (status <> 'deleted' or (name = '' and destination_url = '' and style = '{}'))
);

-- The whole key, tombstones included, so that a short code is never given out twice. People retype codes from paper, so
-- codes that differ only in case are the same code. kernel/link-key.ts has the same expression, character for character.
create unique index qr_codes_key on qr_codes ((key_space || lower(short_code)));
create index qr_codes_list on qr_codes (account_id, mode, number) where status <> 'deleted';
create index qr_codes_list_by_status on qr_codes (account_id, mode, status, number) where status <> 'deleted';

-- Search is fast with this index in an account of a million codes. Of a long destination only the beginning is indexed,
-- since each letter costs. Both extensions come with PostgreSQL and the owner of a database may create them. Where a
-- distribution leaves them out, search works without the index, and is slow for rare words in a very large account.
do $$
begin
  if (select count(*) from pg_available_extensions where name in ('pg_trgm', 'btree_gin')) = 2 then
    create extension if not exists pg_trgm;
    create extension if not exists btree_gin;
    create index qr_codes_search on qr_codes
      using gin (account_id, lower(name || ' ' || short_code || ' ' || left(destination_url, 200)) gin_trgm_ops)
      where status <> 'deleted';
  else
    raise notice 'pg_trgm or btree_gin is not available: search in very large accounts will be slow';
  end if;
exception
  when insufficient_privilege then
    raise notice 'this role may not create the extensions pg_trgm and btree_gin: search in very large accounts will be slow';
end $$;

comment on table qr_codes is
  'QR codes. A deleted code stays as a tombstone, blank but for its short code, so that a printed code never comes to lead to something else.';
comment on column qr_codes.number is 'Counts up within account and mode in the order of creation. Lists are sorted by it.';
comment on column qr_codes.key_space is 'In which the short code is unique: empty for live codes, t/<test_tag>/ for test codes.';
comment on column qr_codes.made_by_id is
  'The API key or the user that made the code, by made_by. Null: made before 0.1 recorded it.';

create table code_counts (
  account_id  uuid not null references accounts (id),
  mode        mode not null,
  last_number bigint not null default 0,
  active      bigint not null default 0 check (active >= 0),
  paused      bigint not null default 0 check (paused >= 0),
  draft       bigint not null default 0 check (draft >= 0),
  made_by_api bigint not null default 0 check (made_by_api >= 0),
  primary key (account_id, mode)
);

comment on table code_counts is
  'How many codes an account has in each mode: the total of lists and the base of quotas. The row is also the lock that orders all changes of these numbers; it is taken before any code.';
comment on column code_counts.last_number is 'The highest qr_codes.number given out.';

create table count_buckets (
  account_id uuid not null,
  mode       mode not null,
  bucket     bigint not null,
  active     bigint not null default 0 check (active >= 0),
  paused     bigint not null default 0 check (paused >= 0),
  draft      bigint not null default 0 check (draft >= 0),
  primary key (account_id, mode, bucket)
);

comment on table count_buckets is
  'The same for every 1,000 numbers: a page far down a long list is found by adding up buckets instead of stepping over every code before it.';
comment on column count_buckets.bucket is 'qr_codes.number divided by 1,000.';

create table code_edits (
  id         uuid primary key,
  qr_code_id uuid not null,
  at         timestamptz not null,
  by_kind    text not null,
  by_id      uuid,
  field      text not null check (field in ('name', 'destination_url', 'status')),
  before     text not null,
  after      text not null,
  constraint code_edits_by
    check (by_kind in ('key', 'user', 'operator') and (by_kind = 'operator') = (by_id is null))
);

create index code_edits_code on code_edits (qr_code_id, id);

comment on table code_edits is
  'The history of codes: who changed what. Written in the transaction of the change, removed with the code.';
comment on column code_edits.by_id is 'The key or the user. An operator works by a command, without either.';

create table code_targets (
  id         uuid primary key default gen_random_uuid(),
  qr_code_id uuid not null,
  kind       text not null check (kind in ('default')),
  url        text not null,
  host       text collate "C" not null,
  url_hash   bytea not null check (length(url_hash) = 16)
);

create unique index code_targets_default on code_targets (qr_code_id) where kind = 'default';
create index code_targets_code on code_targets (qr_code_id);
-- Reversed, so that a host is found together with its subdomains.
create index code_targets_host on code_targets (reverse(host) collate "C");
create index code_targets_url on code_targets (url_hash);

comment on table code_targets is
  'Every URL that a code can redirect to, to find codes by destination. Each code has one of kind default, changed in place.';
comment on column code_targets.host is 'As the destination rule reads it: lower case, punycode, no trailing dot.';
comment on column code_targets.url_hash is
  'The first 16 bytes of SHA-256 of the URL in the form that lists are compared in.';

create table daily_codes (
  account_id uuid not null,
  at         timestamptz not null,
  codes      integer not null check (codes > 0)
);

create index daily_codes_account on daily_codes (account_id, at);
create index daily_codes_old on daily_codes (at);

comment on table daily_codes is
  'Codes made in the dashboard within the last 24 hours by accounts that signed up, where NEW_ACCOUNT_CODES_PER_DAY is set. One row a call, written under the lock of code_counts.';

create table link_changes (
  n          bigint generated always as identity primary key,
  key        text collate "C" not null,
  claimed_at timestamptz
);

comment on table link_changes is
  'Keys of changed short links, written in the transaction of the change: redirects are notified once more from here, since the process that made the change may have died before it notified them.';
comment on column link_changes.key is 'key_space and the short code in lower case.';
comment on column link_changes.claimed_at is
  'Set by the process that notifies redirects, outside of a transaction. A claim whose process has died expires.';

create table backfills (
  name    text primary key,
  after   uuid not null,
  done_at timestamptz
);

comment on table backfills is 'Tables that are filled from others while the service runs, and how far that is.';
comment on column backfills.after is 'The id of the last code that is done.';

-- A new database has no codes, so there is nothing to fill.
insert into backfills (name, after, done_at) values ('code_targets', '00000000-0000-0000-0000-000000000000', now());
