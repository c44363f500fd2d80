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
  link_key        text collate "C" not null,
  domain          text collate "C",
  name            text not null,
  destination_url text not null,
  style           jsonb not null,
  made_by         text not null check (made_by in ('api', 'dashboard')),
  made_by_id      uuid,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  note            text,
  external_id     text collate "C",
  metadata        jsonb not null default '{}',
  host            text collate "C",
  rules           json,
  fallback_url    text,
  starts_at       timestamptz,
  expires_at      timestamptz,
  max_scans       bigint,
  used_up_at      timestamptz,
  forward_query   boolean not null default false,
  append_query    json,
  placement_keys  text[],
  revision        bigint not null default 0,
  archived        boolean not null default false,
  constraint qr_codes_key_space check ((mode = 'test') = (key_space like 't/%')),
  constraint qr_codes_domain check ((domain is not null) = (key_space like 'd/%')),
  constraint qr_codes_tombstone check (status <> 'deleted' or (
    name = '' and destination_url = '' and style = '{}' and note is null and external_id is null and metadata = '{}'
    and rules is null and fallback_url is null and append_query is null and placement_keys is null and not archived))
);

-- Tombstones included, so that a short code is never given to another account.
create unique index qr_codes_link_key on qr_codes (link_key);
create index qr_codes_list on qr_codes (account_id, mode, archived, number) where status <> 'deleted';
create index qr_codes_list_by_status on qr_codes (account_id, mode, status, archived, number) where status <> 'deleted';
create unique index qr_codes_external_id on qr_codes (account_id, mode, external_id)
  where external_id is not null and status <> 'deleted';
create index qr_codes_list_by_host on qr_codes (account_id, mode, host, archived, number) where status <> 'deleted';
create index qr_codes_list_by_domain on qr_codes (account_id, domain, archived, number)
  where domain is not null and status <> 'deleted';
create index qr_codes_list_by_time on qr_codes (account_id, mode, created_at, number) where status <> 'deleted';
-- Which codes use a logo, so that one in use is not deleted.
create index qr_codes_logo on qr_codes ((style -> 'logo' ->> 'asset_id')) where style ? 'logo';

-- Search is fast with these indexes in an account of a million codes. Of a long destination only the beginning is indexed,
-- since each letter costs. Both extensions come with PostgreSQL and the owner of a database may create them. Where a
-- distribution leaves them out, search works without the indexes, and is slow for rare words and metadata in a very large
-- account.
do $$
begin
  if (select count(*) from pg_available_extensions where name in ('pg_trgm', 'btree_gin')) = 2 then
    create extension if not exists pg_trgm;
    create extension if not exists btree_gin;
    create index qr_codes_search on qr_codes
      using gin (account_id, lower(name || ' ' || short_code || ' ' || left(destination_url, 200)) gin_trgm_ops)
      where status <> 'deleted';
    create index qr_codes_search_external_id on qr_codes
      using gin (account_id, lower(external_id) gin_trgm_ops)
      where external_id is not null and status <> 'deleted';
    create index qr_codes_metadata on qr_codes using gin (account_id, metadata jsonb_path_ops)
      where metadata <> '{}' and status <> 'deleted';
  else
    raise notice 'pg_trgm or btree_gin is not available: search in very large accounts will be slow';
  end if;
exception
  when insufficient_privilege then
    raise notice 'this role may not create the extensions pg_trgm and btree_gin: search in very large accounts will be slow';
end $$;

comment on table qr_codes is
  'QR codes. A deleted code stays as a tombstone, blank but for its short code, so that no other account ever gets it. It makes way where its own account reclaims it.';
comment on column qr_codes.number is 'Counts up within account and mode in the order of creation. Lists are sorted by it.';
comment on column qr_codes.key_space is 'In which the short code is unique: empty for live codes, d/<tag>/ for those on a domain, t/<test_tag>/ for test codes.';
comment on column qr_codes.link_key is
  'The name under which redirects find the code: key_space and the short code in lower case. Written by kernel/link-key.ts.';
comment on column qr_codes.domain is
  'The host of the domain that the code is on, as domains.host. Null: the host of the service. It never changes.';
comment on column qr_codes.made_by_id is 'The API key or the user that made the code, by made_by. Null for a tombstone.';
comment on column qr_codes.note is 'For the owner alone.';
comment on column qr_codes.external_id is
  'The name of the code in a system of its owner, compared by its bytes. Free again once the code is deleted.';
comment on column qr_codes.metadata is 'Texts by their keys, stored for the owner''s programs.';
comment on column qr_codes.host is
  'The host of destination_url, as code_targets has it: lists are filtered by it within an account.';
comment on column qr_codes.rules is
  'The rules in the order in which they are tried, with the ids of rules and targets as UUIDs. Null: none. As text, so that its keys keep their order.';
comment on column qr_codes.fallback_url is 'Where scanners go while the code is paused, not begun, ended or used up.';
comment on column qr_codes.starts_at is 'From when on it redirects.';
comment on column qr_codes.expires_at is 'From when on it no longer redirects.';
comment on column qr_codes.max_scans is 'Scans after which ingest sets used_up_at.';
comment on column qr_codes.used_up_at is 'When max_scans was reached; null again once it is raised or removed.';
comment on column qr_codes.forward_query is 'Whether the query of the short link is passed on to the destination.';
comment on column qr_codes.append_query is 'Parameters to append to the destination, in order.';
comment on column qr_codes.placement_keys is 'The keys in placements, for redirects. Null: it never had any; empty: all were deleted, and scans may have their keys.';
comment on column qr_codes.revision is 'Counts the edits of the owner.';
comment on column qr_codes.archived is 'Whether lists leave it out. It redirects and counts as before.';

create table code_counts (
  account_id      uuid not null references accounts (id),
  mode            mode not null,
  last_number     bigint not null default 0,
  active          bigint not null default 0 check (active >= 0),
  paused          bigint not null default 0 check (paused >= 0),
  draft           bigint not null default 0 check (draft >= 0),
  archived        bigint not null default 0 check (archived >= 0),
  made_by_api     bigint not null default 0 check (made_by_api >= 0),
  last_created_at timestamptz,
  primary key (account_id, mode)
);

comment on table code_counts is
  'How many codes an account has in each mode: the total of lists and the base of quotas. The row is also the lock that orders all changes of these numbers; it is taken before any code.';
comment on column code_counts.archived is 'Archived codes, whatever their status: active, paused and draft count the others.';
comment on column code_counts.last_number is 'The highest qr_codes.number given out.';
comment on column code_counts.last_created_at is
  'When the code with the highest number was created. No later one gets an earlier time, so that numbers and times have one order.';

create table count_buckets (
  account_id uuid not null,
  mode       mode not null,
  bucket     bigint not null,
  active     bigint not null default 0 check (active >= 0),
  paused     bigint not null default 0 check (paused >= 0),
  draft      bigint not null default 0 check (draft >= 0),
  archived   bigint not null default 0 check (archived >= 0),
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
  field      text not null check (field in (
               'name', 'destination_url', 'status', 'archived', 'tags', 'note', 'external_id', 'metadata', 'rules',
               'fallback_url', 'starts_at', 'expires_at', 'max_scans', 'forward_query', 'append_query')),
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
  kind       text not null check (kind in ('default', 'rule', 'fallback')),
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
  'Every URL that a code can redirect to, to find codes by destination. Each code has one of kind default, changed in place; the others are those of its rules, under the ids of their targets, and of its fallback.';
comment on column code_targets.host is 'As the destination rule reads it: lower case, punycode, no trailing dot.';
comment on column code_targets.url_hash is
  'The first 16 bytes of SHA-256 of the URL in the form that lists are compared in.';

create table removed_targets (
  qr_code_id uuid not null,
  kind       text not null check (kind in ('default', 'rule', 'fallback')),
  target_id  uuid,
  rule_id    uuid,
  label      text not null,
  url        text not null,
  host       text collate "C" not null,
  removed_at timestamptz not null,
  constraint removed_targets_of_rules check ((kind = 'rule') = (target_id is not null) and (kind = 'rule') = (rule_id is not null))
);

create unique index removed_targets_url on removed_targets (qr_code_id, kind, target_id, md5(url)) nulls not distinct;
create index removed_targets_code on removed_targets (qr_code_id, removed_at);
-- Reversed, so that a host is found together with its subdomains.
create index removed_targets_host on removed_targets (reverse(host) collate "C");

comment on table removed_targets is
  'URLs that a code led to earlier, each once. Operators see them, figures keep the labels of rules, and an edit can be undone. The newest 1,000 per code, deleted with it.';
comment on column removed_targets.target_id is 'The target of a rule; null for the destination and the fallback.';
comment on column removed_targets.removed_at is 'When the code last ceased to lead there.';

create table placements (
  qr_code_id uuid not null,
  key        text collate "C" not null check (key ~ '^[a-z0-9-]{1,24}$'),
  name       text not null,
  note       text,
  created_at timestamptz not null,
  primary key (qr_code_id, key)
);

comment on table placements is
  'The places where a code is printed, by the key in their links. Removed with the code. Changed under the lock of the code.';

create table tags (
  id         uuid primary key,
  account_id uuid not null references accounts (id),
  mode       mode not null,
  folded     text collate "C" not null,
  name       text not null,
  color      text not null,
  codes      bigint not null default 0 check (codes >= 0),
  constraint tags_color check (color in ('gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple'))
);

create unique index tags_name on tags (account_id, mode, folded);

comment on table tags is
  'Labels of an account''s codes in one mode. Every change of tags is made under the lock of code_counts.';
comment on column tags.folded is 'The name in lower case and composed form: tags that differ only in case are the same tag.';
comment on column tags.name is 'As it was first spelled, or renamed since.';
comment on column tags.codes is 'How many codes have it.';

create table code_tags (
  qr_code_id uuid not null,
  tag_id     uuid not null,
  number     bigint not null,
  primary key (qr_code_id, tag_id)
);

-- The codes of a tag in the order of lists.
create unique index code_tags_list on code_tags (tag_id, number) include (qr_code_id);

comment on table code_tags is 'Which codes have which tags. Removed with the code and with the tag.';
comment on column code_tags.number is 'qr_codes.number, so that the newest codes of a tag are found without reading the others.';

create table mass_changes (
  account_id uuid not null,
  kind       text not null check (kind in ('destination', 'deletion')),
  at         timestamptz not null,
  codes      integer not null check (codes > 0),
  mailed_at  timestamptz
);

create index mass_changes_account on mass_changes (account_id, at);
create index mass_changes_at on mass_changes (at);

comment on table mass_changes is
  'How many live codes were led elsewhere or deleted in the last minutes, one row per call: owners are mailed when there are many.';
comment on column mass_changes.mailed_at is 'When the owners were mailed about these among others.';

create table daily_codes (
  account_id uuid not null,
  at         timestamptz not null,
  codes      integer not null check (codes > 0)
);

create index daily_codes_account on daily_codes (account_id, at);
create index daily_codes_old on daily_codes (at);

comment on table daily_codes is
  'Codes made in the dashboard within the last 24 hours by accounts that signed up, where NEW_ACCOUNT_CODES_PER_DAY is set. One row per call, written under the lock of code_counts.';

create table link_changes (
  n          bigint generated always as identity primary key,
  key        text collate "C" not null,
  claimed_at timestamptz
);

comment on table link_changes is
  'Keys of changed short links, written in the transaction of the change: redirects are notified once more from here, since the process that made the change may have died before it notified them.';
comment on column link_changes.key is 'As qr_codes.link_key.';
comment on column link_changes.claimed_at is
  'Set by the process that notifies redirects, outside of a transaction. A claim whose process has died expires.';
