-- Where a code leads by rules, schedules and limits. A code without any of these has nulls, which take no space.
alter table qr_codes
  add column rules          json,
  add column fallback_url   text,
  add column starts_at      timestamptz,
  add column expires_at     timestamptz,
  add column max_scans      bigint,
  add column used_up_at     timestamptz,
  add column forward_query  boolean not null default false,
  add column append_query   json,
  add column placement_keys text[],
  add column revision       bigint not null default 0;

alter table qr_codes add constraint qr_codes_unrouted_tombstone
  check (status <> 'deleted'
         or (rules is null and fallback_url is null and append_query is null and placement_keys is null)) not valid;

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

alter table code_edits drop constraint code_edits_field_check;
alter table code_edits add constraint code_edits_field_check
  check (field in ('name', 'destination_url', 'status', 'tags', 'note', 'external_id', 'metadata', 'rules',
                   'fallback_url', 'starts_at', 'expires_at', 'max_scans', 'forward_query', 'append_query')) not valid;

alter table code_targets drop constraint code_targets_kind_check;
alter table code_targets add constraint code_targets_kind_check
  check (kind in ('default', 'rule', 'fallback')) not valid;

comment on table code_targets is
  'Every URL that a code can redirect to, to find codes by destination. Each code has one of kind default, changed in place; the others are those of its rules, under the ids of their targets, and of its fallback.';

create table removed_targets (
  id         uuid primary key,
  qr_code_id uuid not null,
  rule_id    uuid not null,
  label      text not null,
  url        text not null,
  removed_at timestamptz not null
);

create index removed_targets_code on removed_targets (qr_code_id, removed_at);

comment on table removed_targets is
  'Targets that rules of a code had earlier: figures keep their labels, and an edit can be undone. The newest 1,000 of a code, removed with it.';

alter table webhook_endpoints add column include_routing boolean not null default false;

comment on column webhook_endpoints.include_routing is
  'Whether its scan events say the rule, the target and the placement.';

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
