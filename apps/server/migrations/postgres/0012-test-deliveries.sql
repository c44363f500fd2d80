create table webhook_test_days (
  account_id uuid not null,
  day        date not null,
  queued     integer not null,
  refused    integer not null,
  primary key (account_id, day)
);

create index webhook_test_days_day on webhook_test_days (day);

comment on table webhook_test_days is
  'Messages of test webhooks of accounts whose plan has no webhooks, by day in UTC: their number is limited. Removed a day later.';
comment on column webhook_test_days.queued is 'Messages that were accepted, test events included; retries and replays are not.';
comment on column webhook_test_days.refused is 'Messages beyond the limit, which were not queued.';

create table webhook_test_grants (
  token      text not null,
  account_id uuid not null,
  granted    integer not null,
  at         timestamptz not null default now(),
  primary key (token, account_id)
);

create index webhook_test_grants_at on webhook_test_grants (at);

comment on table webhook_test_grants is
  'How many messages of a group of scans an account got of its day, so that a group that is repeated gets the same. Kept for a day.';
comment on column webhook_test_grants.token is 'Names the group.';

alter table webhook_endpoints add column qr_ids uuid[], add column tags text[];

comment on column webhook_endpoints.qr_ids is 'Codes whose scans are sent; null where scans of all are, or of those with tags.';
comment on column webhook_endpoints.tags is 'Tags of codes whose scans are sent, as they were given; null likewise.';
