-- Every URL that a code can send somebody to, for whoever looks for codes by where they lead. A code has one of the kind
-- default, changed in place. Rows of codes from before this table are filled in by the API, some at a time.
create table code_targets (
  id         uuid primary key default gen_random_uuid(),
  qr_code_id uuid not null,
  kind       text not null check (kind in ('default')),
  url        text not null,
  -- As the destination rule reads it: lower case, punycode, no dot at the end.
  host       text collate "C" not null,
  -- The first 16 bytes of SHA-256 of the URL in the form that lists are compared in.
  url_hash   bytea not null check (length(url_hash) = 16)
);

create unique index code_targets_default on code_targets (qr_code_id) where kind = 'default';
create index code_targets_code on code_targets (qr_code_id);
-- Backwards, so that a host is found together with its subdomains.
create index code_targets_host on code_targets (reverse(host) collate "C");
create index code_targets_url on code_targets (url_hash);

-- Tables that are filled from others while the service runs, and how far that is.
create table fills (
  name    text primary key,
  after   uuid not null,
  done_at timestamptz
);

-- Where there are no codes yet there is nothing to fill.
insert into fills (name, after, done_at)
select 'code_targets', '00000000-0000-0000-0000-000000000000', case when not exists (select from qr_codes) then now() end;

-- What was stopped for safety: a code, or an account with all its codes. It is in force while released_at is null. A code
-- can be stopped for several reasons at a time, an account for one.
create table suspensions (
  id           uuid primary key,
  account_id   uuid not null,
  qr_code_id   uuid, -- null: the whole account
  cause        text not null check (cause in ('operator', 'host', 'list')),
  source       text not null default '', -- the host that is blocked, or the name of the list
  reason       text not null, -- what the owner is told
  url          text, -- where the code led when it was stopped
  maker        text, -- the e-mail address of who made the code, written down before an account that is closed loses its people
  suspended_at timestamptz not null,
  released_at  timestamptz,
  appeal       text,
  appealed_at  timestamptz,
  answer       text, -- what the operator replied to the appeal, where it stays suspended; null: nothing
  answered_at  timestamptz,
  -- The code was deleted, or the account closed. What is known of it stays for 90 days, then the row goes.
  deleted_at   timestamptz,
  evidence     jsonb,
  check ((appeal is null) = (appealed_at is null)),
  check ((deleted_at is null) = (evidence is null)),
  check (qr_code_id is not null or cause = 'operator')
);

create unique index suspensions_of_code on suspensions (qr_code_id, cause, source)
  where qr_code_id is not null and released_at is null;
create unique index suspensions_of_account on suspensions (account_id)
  where qr_code_id is null and released_at is null;
create index suspensions_account on suspensions (account_id, qr_code_id);
create index suspensions_newest on suspensions (suspended_at, id);
create index suspensions_source on suspensions (source, id) where cause <> 'operator' and released_at is null;
create index suspensions_appealed on suspensions (appealed_at, id) where released_at is null and appealed_at is not null;
create index suspensions_deleted on suspensions (deleted_at) where deleted_at is not null;

-- What owners of codes that lead to a blocked host are told. Null: that it is blocked and no more, as for hosts of before,
-- whose reason was promised to be for the operator alone.
alter table blocked_hosts add column owner_reason text;
-- When every code that leads there was marked as suspended; null: some may be left.
alter table blocked_hosts add column marked_at timestamptz;
alter table blocked_hosts add column claimed_at timestamptz;

-- Since when the links of an account wait for its owner to confirm the address; null: they do not.
alter table accounts add column held_at timestamptz;

-- What redirects keep in memory besides links: accounts and hosts that nobody is sent to, however many codes they have.
-- Every change has a number, one higher than the last, in the order of the commits. A stop that was lifted keeps its row
-- for a while, without a reason, so that those who were away hear of it.
create table stops (
  subject    text collate "C" primary key, -- account/<uuid> or host/<name>
  reason     text check (reason in ('suspended', 'held', 'closed', 'blocked')),
  n          bigint not null,
  changed_at timestamptz not null,
  told       boolean not null default false, -- redirects were told once more
  claimed_at timestamptz
);

create unique index stops_n on stops (n);
create index stops_untold on stops (n) where not told;
create index stops_lifted on stops (changed_at) where reason is null;

create table stop_version (
  "only" boolean primary key default true check ("only"),
  -- The number of the last change. Whoever makes one locks this row until the commit.
  n     bigint not null,
  -- The highest number of a lifted stop whose row is gone: who knows less than this reads all of them.
  floor bigint not null
);

insert into stop_version (n, floor) values (0, 0);

-- Hosts that were blocked before: their codes were paused then, and redirects now know the host as well.
insert into stops (subject, reason, n, changed_at, told)
select 'host/' || host, 'blocked', row_number() over (order by host), created_at, true from blocked_hosts;
update stop_version set n = (select count(*) from stops);
