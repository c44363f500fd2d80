create table blocked_hosts (
  host         text collate "C" primary key check (length(host) between 1 and 253),
  reason       text not null,
  owner_reason text,
  created_at   timestamptz not null,
  claimed_at   timestamptz,
  marked_at    timestamptz
);

-- Reversed, so that the blocked parent of a host is found.
create index blocked_hosts_unmarked on blocked_hosts ((reverse(host) || '.')) where marked_at is null;

comment on table blocked_hosts is
  'Hosts that no code may lead to, each with its subdomains. Who writes a destination locks this table in row share mode until the commit, and who blocks a host waits for that: once a host is blocked, no new code leads there.';
comment on column blocked_hosts.host is 'As the destination rule reads it: lower case, punycode, no trailing dot.';
comment on column blocked_hosts.reason is 'For the operator alone.';
comment on column blocked_hosts.owner_reason is 'What owners of such codes read. Null: that the host is blocked, and no more.';
comment on column blocked_hosts.claimed_at is 'When a process began to mark the codes. A claim whose process has died expires.';
comment on column blocked_hosts.marked_at is 'When every code that leads there was suspended. Null: some may be left.';

create table suspensions (
  id                uuid primary key,
  account_id        uuid not null,
  qr_code_id        uuid,
  cause             text not null check (cause in ('operator', 'host', 'list')),
  source            text not null default '',
  reason            text not null,
  url               text,
  maker             text,
  suspended_at      timestamptz not null,
  mailed_at         timestamptz,
  released_at       timestamptz,
  release_mailed_at timestamptz,
  appeal            text,
  appealed_at       timestamptz,
  answer            text,
  answered_at       timestamptz,
  deleted_at        timestamptz,
  evidence          jsonb,
  constraint suspensions_appeal_has_a_time check ((appeal is null) = (appealed_at is null)),
  constraint suspensions_deleted_has_evidence check ((deleted_at is null) = (evidence is null)),
  constraint suspensions_accounts_by_operator check (qr_code_id is not null or cause = 'operator')
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
create index suspensions_unmailed on suspensions (suspended_at) where cause = 'operator' and mailed_at is null;
create index suspensions_release_unmailed on suspensions (released_at)
  where cause = 'operator' and released_at is not null and release_mailed_at is null;

comment on table suspensions is
  'What was stopped for safety: a code, or an account with all its codes. In force while released_at is null. A code can be stopped for several causes at a time, an account for one.';
comment on column suspensions.qr_code_id is 'Null: the whole account.';
comment on column suspensions.source is 'The blocked host, or the name of the list.';
comment on column suspensions.reason is 'What the owner reads.';
comment on column suspensions.url is
  'Where the code led when it was stopped: the URL on the blocked host or the list, otherwise its destination.';
comment on column suspensions.maker is
  'The e-mail address of the user who made the code, stored before a closed account loses its members.';
comment on column suspensions.mailed_at is
  'When the owners were mailed. Written before the mail is sent: it is sent at most once.';
comment on column suspensions.release_mailed_at is 'The same for the release.';
comment on column suspensions.answer is 'What the operator replied to the appeal where it stays suspended.';
comment on column suspensions.deleted_at is
  'The code was deleted or the account closed. The evidence stays for 90 days, then the row is removed.';

create table stops (
  subject    text collate "C" primary key,
  reason     text check (reason in ('suspended', 'held', 'closed', 'blocked')),
  domain     json,
  n          bigint not null,
  changed_at timestamptz not null,
  relayed    boolean not null default false,
  claimed_at timestamptz,
  constraint stops_domain check ((domain is not null) = (subject like 'domain/%') and (domain is null or reason is null))
);

create unique index stops_n on stops (n);
create index stops_unrelayed on stops (n) where not relayed;
create index stops_lifted on stops (changed_at) where reason is null and domain is null;

comment on table stops is
  'Accounts and hosts that no link redirects for or to, however many codes they have: redirects hold them in memory beside links. The domains that redirects serve travel with them: one number says how far a redirect knows both.';
comment on column stops.subject is 'account/<uuid>, host/<name> or domain/<host>.';
comment on column stops.reason is 'Null: the stop was lifted. The row stays for a while, for redirects that were away.';
comment on column stops.domain is
  'What redirects know of a domain: its key space, account and URLs, and whether it is active. The row of a domain is never removed.';
comment on column stops.n is 'The number of the change, one higher than the last, in the order of the commits.';
comment on column stops.relayed is 'Whether redirects were notified once more, after the commit.';
comment on column stops.claimed_at is 'Set by the process that notifies redirects. A claim whose process has died expires.';

create table stop_version (
  "only" boolean primary key default true check ("only"),
  n      bigint not null,
  floor  bigint not null
);

comment on table stop_version is 'One row: how far the changes of stops and domains are.';
comment on column stop_version.n is 'The number of the last change. A change locks this row until its commit.';
comment on column stop_version.floor is
  'The highest number of a lifted stop whose row is gone. A redirect that knows less reads all stops.';

insert into stop_version (n, floor) values (0, 0);

create table reports (
  id         uuid primary key,
  qr_code_id uuid not null unique,
  account_id uuid not null,
  count      integer not null check (count > 0),
  first_at   timestamptz not null,
  last_at    timestamptz not null,
  closed_at  timestamptz
);

create index reports_open on reports (last_at, id) where closed_at is null;
create index reports_closed on reports (last_at, id) where closed_at is not null;
create index reports_account on reports (account_id) where closed_at is null;

comment on table reports is
  'Short links that people reported, one row per code. Nothing is stored about the reporters: no address, no user agent, no cookie. Removed 180 days after the last report.';
comment on column reports.qr_code_id is 'Stays when the code is deleted.';
comment on column reports.closed_at is 'Null: an operator has yet to look at it.';

create table report_messages (
  id        uuid primary key,
  report_id uuid not null references reports (id) on delete cascade,
  kind      text not null check (kind in ('phishing', 'malware', 'scam', 'illegal', 'other')),
  text      text not null check (length(text) <= 1000),
  at        timestamptz not null
);

create index report_messages_newest on report_messages (report_id, at, id);
create index report_messages_old on report_messages (at);

comment on table report_messages is 'The newest texts of a report. Written by anybody: text, never markup.';

create table list_generations (
  id         bigint generated always as identity primary key,
  list       text collate "C" not null,
  touched_at timestamptz not null,
  dropped_at timestamptz
);

comment on table list_generations is
  'A list is replaced whole: a new generation is loaded beside the one in force, then takes its place in one statement.';
comment on column list_generations.touched_at is
  'When entries were last loaded. An hour without any, and not in force: its import has died.';
comment on column list_generations.dropped_at is 'Takes no more entries. Its entries are removed some at a time, then the row.';

create table lists (
  name        text collate "C" primary key,
  format      text not null,
  generation  bigint not null unique references list_generations (id),
  imported_at timestamptz not null,
  expires_at  timestamptz,
  hosts       bigint not null,
  urls        bigint not null
);

comment on table lists is 'Lists of hosts and URLs that no code may lead to, imported by the operator.';
comment on column lists.expires_at is 'Null: in force until it is replaced or removed.';

create table listed_hosts (
  host       text collate "C" not null,
  generation bigint not null,
  primary key (host, generation)
);

comment on table listed_hosts is 'The hosts of lists.';

create table listed_urls (
  hash       bytea not null check (length(hash) = 16),
  generation bigint not null,
  primary key (hash, generation)
);

comment on table listed_urls is 'The URLs of lists.';
comment on column listed_urls.hash is
  'The first 16 bytes of SHA-256 of the URL in the form that lists are compared in, as in code_targets.';

create table list_checks (
  "only"     boolean primary key default true check ("only"),
  due_at     timestamptz not null,
  after      uuid not null default '00000000-0000-0000-0000-000000000000',
  claimed_at timestamptz
);

comment on table list_checks is 'One row: when every target is next looked up in the lists, and how far that is.';
comment on column list_checks.due_at is
  'The time of day is random, so that installations which share a machine do not all work at once.';
comment on column list_checks.after is 'The id of the last target that was looked up.';
comment on column list_checks.claimed_at is 'Set by the process that checks. A claim whose process has died expires.';

insert into list_checks (due_at) values (now() + random() * interval '1 day');
