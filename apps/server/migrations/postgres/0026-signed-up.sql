-- Whether a stranger made the account by signing up. Of accounts from before nobody knows it, and none is held to it.
alter table accounts add column signed_up boolean not null default false;

-- Codes that people of such accounts have made in the dashboard within the last 24 hours, where NEW_ACCOUNT_CODES_PER_DAY
-- is set: a row a call, under the lock of the account's tally. Nothing is added to what others pay for a code.
create table daily_codes (
  account_id uuid not null,
  at         timestamptz not null,
  codes      int not null check (codes > 0)
);

create index daily_codes_account on daily_codes (account_id, at);
create index daily_codes_old on daily_codes (at);

-- When the owners were mailed that the operator had stopped something of theirs, and that it was released. Whoever writes
-- this sends the mail: it is sent at most once.
alter table suspensions add column mailed_at timestamptz, add column release_mailed_at timestamptz;

create index suspensions_unmailed on suspensions (suspended_at) where cause = 'operator' and mailed_at is null;
create index suspensions_release_unmailed on suspensions (released_at)
  where cause = 'operator' and released_at is not null and release_mailed_at is null;
