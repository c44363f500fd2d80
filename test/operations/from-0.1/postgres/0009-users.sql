-- People who sign in to the dashboard. The tables auth_* are read and written by better-auth, whose names for them are
-- mapped in users/engine.ts; an account of better-auth is a way to sign in, and has nothing to do with our accounts.
create table auth_users (
  id             uuid primary key,
  name           text not null,
  email          text not null unique, -- in lower case
  email_verified boolean not null default false,
  image          text,
  created_at     timestamptz not null,
  updated_at     timestamptz not null
);

-- A session is in the cookie by its token with a signature over it: the token alone, read from here, opens nothing.
create table auth_sessions (
  id         uuid primary key,
  user_id    uuid not null references auth_users (id) on delete cascade,
  token      text not null unique,
  device     text, -- such as "chrome, desktop"; the user agent itself is not kept
  ip_address text check (ip_address is null or ip_address = ''), -- better-auth knows such a field; we keep no address
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index auth_sessions_user on auth_sessions (user_id, created_at);
create index auth_sessions_expires on auth_sessions (expires_at);

-- Ways to sign in: one row a user, with the hash of the password.
create table auth_credentials (
  id                       uuid primary key,
  user_id                  uuid not null references auth_users (id) on delete cascade,
  account_id               text not null, -- the user's id again
  provider_id              text not null, -- credential
  password                 text,          -- scrypt
  access_token             text,
  refresh_token            text,
  id_token                 text,
  access_token_expires_at  timestamptz,
  refresh_token_expires_at timestamptz,
  scope                    text,
  created_at               timestamptz not null,
  updated_at               timestamptz not null
);

create index auth_credentials_user on auth_credentials (user_id);

-- Links to set a new password.
create table auth_verifications (
  id         uuid primary key,
  identifier text not null,
  value      text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index auth_verifications_identifier on auth_verifications (identifier);
create index auth_verifications_expires on auth_verifications (expires_at);

-- Whose account a user's is. One each, for now; the first user of an installation is its operator.
create table members (
  user_id     uuid primary key references auth_users (id),
  account_id  uuid not null references accounts (id),
  is_operator boolean not null,
  created_at  timestamptz not null
);

create unique index members_account on members (account_id);
create unique index members_one_operator on members (is_operator) where is_operator;

-- What a key is for, and when it was last used: right to a minute or two.
alter table api_keys add column name text not null default '';
alter table api_keys add column last_used_at timestamptz;
