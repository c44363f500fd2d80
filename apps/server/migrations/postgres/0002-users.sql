-- The tables auth_* are read and written by better-auth, whose names for them are mapped in users/engine.ts. What
-- better-auth calls an account is a way to sign in, and has nothing to do with the table accounts.
create table auth_users (
  id             uuid primary key,
  name           text not null,
  email          text not null unique,
  email_verified boolean not null default false,
  verified_at    timestamptz,
  image          text,
  language       text,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  no_account_at  timestamptz
);

create index auth_users_no_account on auth_users (no_account_at) where no_account_at is not null;

comment on table auth_users is 'People who sign in to the dashboard.';
comment on column auth_users.email is 'In lower case.';
comment on column auth_users.verified_at is
  'When the user first proved that the address is theirs. A mailed reset revokes the API keys that were made before.';

comment on column auth_users.language is 'Of the dashboard and of mails. Null: that of the browser, and English in mails.';
comment on column auth_users.no_account_at is
  'Since when the person has belonged to no account, having belonged to one. Null without an account: sign-up was interrupted.';

alter table api_keys add foreign key (created_by) references auth_users (id) on delete set null;
create index api_keys_creator on api_keys (created_by) where created_by is not null;

create table auth_sessions (
  id         uuid primary key,
  user_id    uuid not null references auth_users (id) on delete cascade,
  token      text not null unique,
  device     text,
  ip_address text check (ip_address is null or ip_address = ''),
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index auth_sessions_user on auth_sessions (user_id, created_at);
create index auth_sessions_expires on auth_sessions (expires_at);

comment on table auth_sessions is 'Who is signed in. The cookie holds the token and a signature over it.';
comment on column auth_sessions.token is 'Useless without the signature, which is not stored.';
comment on column auth_sessions.device is 'Such as "chrome, desktop". The user agent itself is not stored.';
comment on column auth_sessions.ip_address is 'A field of better-auth. No address is stored.';

create table auth_credentials (
  id                       uuid primary key,
  user_id                  uuid not null references auth_users (id) on delete cascade,
  account_id               text not null,
  provider_id              text not null,
  password                 text,
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

comment on table auth_credentials is 'Ways to sign in: one row per user, with the hash of the password.';
comment on column auth_credentials.account_id is 'The user''s id again; no account of ours.';
comment on column auth_credentials.provider_id is 'Always credential.';
comment on column auth_credentials.password is 'Hashed by scrypt.';

create table auth_verifications (
  id         uuid primary key,
  identifier text not null,
  value      text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint auth_verifications_unused check (false)
);

create index auth_verifications_identifier on auth_verifications (identifier);
create index auth_verifications_expires on auth_verifications (expires_at);

comment on table auth_verifications is
  'Always empty. better-auth expects the table, but would store tokens in the clear; see email_tokens.';

create table email_tokens (
  hash       bytea primary key check (length(hash) = 32),
  user_id    uuid not null references auth_users (id) on delete cascade,
  purpose    text not null check (purpose in ('reset', 'verify', 'change')),
  mailed     boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  new_email  text,
  constraint email_tokens_new_email_check check ((purpose = 'change') = (new_email is not null))
);

create index email_tokens_user on email_tokens (user_id);
create index email_tokens_expires on email_tokens (expires_at);

comment on table email_tokens is
  'Links that set a new password, confirm an address or change it. The link holds the token.';
comment on column email_tokens.hash is 'SHA-256 of the token, which has 160 random bits.';
comment on column email_tokens.mailed is
  'Sent to the user''s address, so that using it proves that the user can read mail there.';
comment on column email_tokens.new_email is
  'The address that the link was sent to, in lower case, where it is not the user''s yet.';

create table known_browsers (
  hash       bytea primary key check (length(hash) = 32),
  user_id    uuid not null references auth_users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index known_browsers_user on known_browsers (user_id, created_at);
create index known_browsers_expires on known_browsers (expires_at);

comment on table known_browsers is 'Browsers in which a user has signed in before.';
comment on column known_browsers.hash is 'SHA-256 of the cookie, which has 160 random bits.';

create function forget_on_new_password() returns trigger language plpgsql as $$
begin
  delete from email_tokens where user_id = new.user_id;
  delete from known_browsers where user_id = new.user_id;
  return null;
end
$$;

comment on function forget_on_new_password is
  'A new password ends every link and forgets every browser of its user in the same commit, whether better-auth, a reset or a command sets it.';

create trigger forget_on_new_password after update of password on auth_credentials
  for each row when (old.password is distinct from new.password) execute function forget_on_new_password();

create table members (
  user_id    uuid not null references auth_users (id),
  account_id uuid not null references accounts (id),
  role       text not null check (role in ('owner', 'admin', 'editor', 'viewer')),
  invited    boolean not null default false,
  created_at timestamptz not null,
  primary key (user_id, account_id)
);

create index members_account on members (account_id);

comment on table members is
  'Who belongs to which account. A user may have several accounts, and an account several users.';
comment on column members.role is 'What the user may do there: packages/contract/src/permissions.ts.';

comment on column members.invited is
  'Whether the person came by invitation. One who did not is deleted with the account, unless there is another.';

create table invitations (
  id         uuid primary key,
  account_id uuid not null references accounts (id),
  email      text not null,
  role       text not null check (role in ('owner', 'admin', 'editor', 'viewer')),
  invited_by uuid references auth_users (id) on delete cascade,
  hash       bytea not null unique check (length(hash) = 32),
  mailed     boolean not null,
  created_at timestamptz not null,
  sent_at    timestamptz not null,
  expires_at timestamptz not null,
  unique (account_id, email)
);

create index invitations_email on invitations (email);
create index invitations_inviter on invitations (invited_by);
create index invitations_expires on invitations (expires_at);

comment on table invitations is
  'Links that let a person join an account. One that is accepted or revoked is deleted, and so is one 30 days after its end.';
comment on column invitations.email is 'In lower case. Only a person with this address can accept.';
comment on column invitations.invited_by is 'Null: the operator of the service, by a key.';
comment on column invitations.hash is 'SHA-256 of the token, which has 160 random bits.';
comment on column invitations.mailed is
  'Sent to the address, so that using it proves that the person can read mail there.';

create table operators (
  user_id    uuid primary key references auth_users (id),
  created_at timestamptz not null
);

comment on table operators is 'Who runs this installation. Without any, a token makes the first (operator_tokens).';

create table operator_tokens (
  hash    bytea primary key,
  seen_at timestamptz not null
);

comment on table operator_tokens is
  'Tokens that make the first operator, one for each machine that serves the dashboard, where it is in a file. All are removed with the first operator.';
comment on column operator_tokens.hash is 'SHA-256 of the token.';
comment on column operator_tokens.seen_at is 'An hour without its machine removes a token.';

create table saved_views (
  id         uuid primary key,
  user_id    uuid not null,
  account_id uuid not null,
  mode       mode not null,
  name       text not null,
  query      text not null,
  created_at timestamptz not null,
  foreign key (user_id, account_id) references members (user_id, account_id) on delete cascade
);

create index saved_views_list on saved_views (user_id, account_id, mode, created_at, id);

comment on table saved_views is
  'Filtered lists of codes under names that a person has given them, for that person alone. They go with the membership.';
comment on column saved_views.query is 'The query of the page of codes, as its address has it.';
