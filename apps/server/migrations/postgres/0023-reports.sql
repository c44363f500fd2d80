-- Short links that people have reported. Of those who report nothing is kept: no address, no user agent, no cookie. What
-- was reported is removed 180 days after the last report of a link.
create table reports (
  id         uuid primary key,
  -- One line a code, however often it is reported. It stays when the code is deleted.
  qr_code_id uuid not null unique,
  account_id uuid not null,
  count      integer not null check (count > 0),
  first_at   timestamptz not null,
  last_at    timestamptz not null,
  closed_at  timestamptz -- null: an operator has yet to look at it
);

create index reports_open on reports (last_at, id) where closed_at is null;
create index reports_closed on reports (last_at, id) where closed_at is not null;
create index reports_account on reports (account_id) where closed_at is null;

-- The newest texts of a line. They are the words of strangers: text, never markup.
create table report_messages (
  id        uuid primary key,
  report_id uuid not null references reports (id) on delete cascade,
  kind      text not null check (kind in ('phishing', 'malware', 'scam', 'illegal', 'other')),
  text      text not null check (length(text) <= 1000),
  at        timestamptz not null
);

create index report_messages_newest on report_messages (report_id, at, id);
create index report_messages_old on report_messages (at);
