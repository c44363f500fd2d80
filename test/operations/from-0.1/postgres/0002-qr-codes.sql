create type qr_code_status as enum ('active', 'paused', 'draft', 'deleted');

-- One row a code, for ever: a deleted code stays as a tombstone with everything but its short code blanked,
-- so that the unique index below can never give the short code out again.
create table qr_codes (
  id              uuid primary key,
  account_id      uuid not null references accounts (id),
  mode            mode not null,
  -- Counts up within account and mode in order of creation. Lists are ordered by it.
  number          bigint not null,
  status          qr_code_status not null,
  made_by         text not null check (made_by in ('api', 'dashboard')),
  short_code      text collate "C" not null,
  name            text not null,
  destination_url text not null,
  style           jsonb not null,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  check (status <> 'deleted' or (name = '' and destination_url = '' and style = '{}'))
);

-- People retype codes from paper, so codes that differ only in case are the same code.
create unique index qr_codes_short_code on qr_codes (lower(short_code));
create index qr_codes_list on qr_codes (account_id, mode, number) where status <> 'deleted';
create index qr_codes_list_by_status on qr_codes (account_id, mode, status, number) where status <> 'deleted';

-- How many codes an account has in each mode: the total of lists and the measure of quotas. The row is also
-- the lock that orders everything which changes these numbers; whoever needs it takes it before any code.
create table code_tallies (
  account_id  uuid not null references accounts (id),
  mode        mode not null,
  last_number bigint not null default 0,
  active      bigint not null default 0 check (active >= 0),
  paused      bigint not null default 0 check (paused >= 0),
  draft       bigint not null default 0 check (draft >= 0),
  made_by_api bigint not null default 0 check (made_by_api >= 0),
  primary key (account_id, mode)
);

-- The same, for every block of 1,000 numbers: a page far down a long list is found by adding up blocks
-- instead of stepping over every code before it.
create table code_blocks (
  account_id uuid not null,
  mode       mode not null,
  block      bigint not null,
  active     bigint not null default 0 check (active >= 0),
  paused     bigint not null default 0 check (paused >= 0),
  draft      bigint not null default 0 check (draft >= 0),
  primary key (account_id, mode, block)
);

-- Scans of a code, kept apart from the code so that counting never waits for an edit, nor an edit for counting.
-- No row yet means no scan yet.
create table scan_counts (
  qr_code_id   uuid primary key,
  total_scans  bigint not null default 0,
  unique_scans bigint not null default 0
);
