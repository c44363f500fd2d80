create type mode as enum ('live', 'test');
comment on type mode is 'Live codes count against the quota and are public; test codes are for trying the API.';

create table plans (
  name                 text primary key,
  requests_per_minute  integer not null check (requests_per_minute > 0),
  quota_scope          text not null check (quota_scope in ('api', 'pool')),
  code_quota           integer check (code_quota >= 0),
  session_codes        integer check (session_codes >= 0),
  test_codes           integer default 10000 check (test_codes >= 0),
  creations_per_minute integer default 10000 check (creations_per_minute > 0),
  webhooks             boolean not null,
  webhook_host_rate    integer check (webhook_host_rate > 0),
  asset_bytes          bigint default 5000000 check (asset_bytes >= 0),
  members              integer check (members > 0)
);

comment on table plans is 'What an account may do. Plans are data: change a row here, not the code.';
comment on column plans.quota_scope is
  'What counts against code_quota: api, the live codes made by API; pool, all live codes of the account.';
comment on column plans.code_quota is 'Null: no limit.';
comment on column plans.session_codes is
  'Live codes that may be made in the dashboard, apart from those made by API. Null: only the quota counts.';
comment on column plans.test_codes is 'Codes in test mode, however they are made. Null: no limit.';
-- A quota that fits into one bulk can always be used up by one bulk: these limits are at least as high.
comment on column plans.creations_per_minute is
  'Codes that may be made in any 60 seconds in each mode; a bulk counts as many as it has items. Null: no limit.';
comment on column plans.webhook_host_rate is
  'Webhook attempts per second that an account may make at one host. Null: WEBHOOK_HOST_RATE.';

comment on column plans.asset_bytes is 'Bytes of logos that an account may keep in each mode. Null: no limit.';

comment on column plans.members is
  'How many people an account may have, pending invitations included. Null: no limit.';

insert into plans (name, requests_per_minute, quota_scope, code_quota, session_codes, creations_per_minute, webhooks,
                   asset_bytes, members) values
  ('free',       10,  'api',  100,  100,  500,   false, 5000000,   1),
  ('pro',        60,  'pool', 50,   null, 1000,  true,  50000000,  3),
  ('business',   120, 'pool', 250,  null, 2500,  true,  200000000, 10),
  ('enterprise', 300, 'pool', null, null, 10000, true,  null,      null);

create table accounts (
  id                   uuid primary key,
  name                 text not null,
  plan                 text not null references plans (name),
  test_tag             text collate "C" not null,
  signed_up            boolean not null default false,
  editors_delete       boolean not null default true,
  created_at           timestamptz not null,
  held_at              timestamptz,
  closed_at            timestamptz,
  requests_per_minute  integer check (requests_per_minute > 0),
  code_quota           integer check (code_quota >= 0),
  creations_per_minute integer check (creations_per_minute > 0),
  platform_id          uuid references accounts (id),
  external_id          text,
  constraint accounts_test_tag_form check (test_tag ~ '^[23456789bcdfghjkmnpqrstvwxyz]{8}$')
);

create index accounts_plan on accounts (plan);
create unique index accounts_test_tag on accounts (test_tag);
create index accounts_platform on accounts (platform_id, id) where platform_id is not null;
create unique index accounts_external_id on accounts (platform_id, external_id) where closed_at is null;

-- Eight characters of the alphabet of generated short codes: no words, and nothing that is easily misread on paper.
create function new_test_tag() returns text language plpgsql volatile as $$
declare
  tag text;
begin
  loop
    select string_agg(substr('23456789bcdfghjkmnpqrstvwxyz', 1 + floor(random() * 28)::integer, 1), '')
      into tag from generate_series(1, 8);
    if not exists (select from accounts where test_tag = tag) then
      return tag;
    end if;
  end loop;
end $$;

alter table accounts alter column test_tag set default new_test_tag();

comment on function new_test_tag is 'A tag that no account has yet.';
comment on table accounts is
  'Owners of codes. A closed account keeps its row, without a name, since the tombstones of its codes point to it.';
comment on column accounts.test_tag is
  'Stands in the short links of the account''s test codes: SHORT_BASE_URL/t/<tag>/<short code>. Never changed.';
comment on column accounts.signed_up is 'Whether it was made by public sign-up.';
comment on column accounts.editors_delete is 'Whether people with the role editor may delete codes.';
comment on column accounts.requests_per_minute is 'Set by the operator. Null: that of the plan, as for the next two.';
comment on column accounts.platform_id is
  'The account whose operator key created this one, and manages it. Null: there is none.';
comment on column accounts.external_id is 'Its id in the system of that platform.';
comment on column accounts.held_at is
  'Since when its links wait for the owner to confirm the e-mail address. Null: they do not wait.';

create table api_keys (
  id            uuid primary key,
  account_id    uuid not null references accounts (id),
  mode          mode not null,
  name          text not null default '',
  -- A key has 190 random bits, so a slow hash would protect nothing.
  hash          bytea not null unique check (length(hash) = 32),
  hint          text not null,
  created_by    uuid,
  created_at    timestamptz not null,
  last_used_at  timestamptz,
  revoked_at    timestamptz,
  scopes        text[] check (cardinality(scopes) > 0),
  expires_at    timestamptz,
  allowed_cidrs text[] check (cardinality(allowed_cidrs) between 1 and 20)
);

create index api_keys_account on api_keys (account_id, created_at);

comment on table api_keys is 'Keys to the API, by their hash. The key itself is shown once and not stored.';
comment on column api_keys.hash is 'SHA-256 of the key.';
comment on column api_keys.created_by is
  'The person who created it; null where the operator did, or the person was deleted.';
comment on column api_keys.hint is 'The last four characters, to tell keys apart.';
comment on column api_keys.last_used_at is 'Accurate to a minute or two.';
comment on column api_keys.scopes is
  'What the key may do: packages/contract/src/permissions.ts. Null: everything but accounts:write.';
comment on column api_keys.expires_at is 'From when on the key is refused. Null: never.';
comment on column api_keys.allowed_cidrs is 'The networks from which the key is taken. Null: from everywhere.';

create table account_closures (
  account_id uuid primary key references accounts (id),
  claimed_at timestamptz not null
);

comment on table account_closures is
  'Closed accounts of which something is still to be deleted. A process that ends leaves its row for another.';
comment on column account_closures.claimed_at is
  'When a process began to delete. Another goes on with what has been claimed for long.';
