create table domains (
  id          uuid primary key,
  account_id  uuid not null references accounts (id),
  host        text collate "C" not null check (length(host) between 1 and 253),
  tag         text collate "C" not null check (tag ~ '^[a-z0-9]{8}$'),
  status      text not null check (status in ('active', 'released')),
  is_default  boolean not null default false,
  created_at  timestamptz not null,
  updated_at  timestamptz not null,
  constraint domains_default_is_active check (not is_default or status = 'active')
);

create unique index domains_host on domains (host);
create unique index domains_tag on domains (tag);
create index domains_account on domains (account_id, host);
create unique index domains_default on domains (account_id) where is_default;

comment on table domains is
  'Hosts that accounts print on their codes. A row is never removed: a host that was a domain once never serves the codes of the service.';
comment on column domains.host is 'Lower case, punycode, no trailing dot.';
comment on column domains.tag is 'Its codes have the key space d/<tag>/.';
comment on column domains.status is
  'Released: its links answer 404 until the host is added to the same account again, or to another where no codes are left.';
comment on column domains.is_default is 'Whether the dashboard preselects it for new codes.';

create table domain_targets (
  id         uuid primary key default gen_random_uuid(),
  domain_id  uuid not null references domains (id),
  kind       text not null check (kind in ('root', 'not_found')),
  url        text not null,
  host       text collate "C" not null,
  url_hash   bytea not null check (length(url_hash) = 16),
  cleared_at  timestamptz,
  cleared_for text,
  mailed_at   timestamptz,
  constraint domain_targets_cleared check ((cleared_at is null) = (cleared_for is null))
);

create unique index domain_targets_domain on domain_targets (domain_id, kind) where cleared_at is null;
create index domain_targets_of_domain on domain_targets (domain_id);
create index domain_targets_cleared on domain_targets (cleared_at) where cleared_at is not null;
-- Reversed, so that a host is found together with its subdomains.
create index domain_targets_host on domain_targets (reverse(host) collate "C");
create index domain_targets_url on domain_targets (url_hash);

comment on table domain_targets is
  'Where a domain leads apart from its codes: from its bare host, and from links that do not exist. Moderation looks them up as it does code_targets.';
comment on column domain_targets.host is 'As the destination rule reads it: lower case, punycode, no trailing dot.';
comment on column domain_targets.cleared_at is
  'Since when the domain no longer leads there, because the URL is blocked. The row is evidence for 90 days.';
comment on column domain_targets.cleared_for is 'The blocked host or the list, for the operator.';
comment on column domain_targets.mailed_at is 'When the owners were mailed. Written before the mail is sent: it is sent at most once.';
comment on column domain_targets.url_hash is
  'The first 16 bytes of SHA-256 of the URL in the form that lists are compared in.';
