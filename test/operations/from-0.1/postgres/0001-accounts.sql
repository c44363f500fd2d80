create type mode as enum ('live', 'test');

-- What an account may do. Plans are data: change a row here, not the code.
create table plans (
  name                text primary key,
  requests_per_minute integer not null check (requests_per_minute > 0),
  code_quota          integer check (code_quota >= 0), -- null: no limit
  -- What counts against the quota: the codes made by API, or one pool of all live codes of the account.
  quota_scope         text not null check (quota_scope in ('api', 'pool')),
  webhooks            boolean not null
);

insert into plans (name, requests_per_minute, code_quota, quota_scope, webhooks) values
  ('free',       10,  100,  'api',  false),
  ('pro',        60,  50,   'pool', true),
  ('business',   120, 250,  'pool', true),
  ('enterprise', 300, null, 'pool', true);

create table accounts (
  id         uuid primary key,
  name       text not null,
  plan       text not null references plans (name),
  created_at timestamptz not null
);

create index accounts_plan on accounts (plan);

create table api_keys (
  id         uuid primary key,
  account_id uuid not null references accounts (id),
  mode       mode not null,
  -- SHA-256 of the key. A key has 190 random bits, so a slow hash would protect nothing.
  hash       bytea not null unique check (length(hash) = 32),
  hint       text not null, -- the last four characters, to tell keys apart
  created_at timestamptz not null,
  revoked_at timestamptz
);

create index api_keys_account on api_keys (account_id, created_at);
