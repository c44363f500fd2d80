create table scan_spreads (
  account_id uuid not null references accounts (id),
  from_at    timestamptz not null,
  shards     integer not null check (shards between 1 and 256),
  primary key (account_id, from_at)
);

comment on table scan_spreads is
  'Accounts with so many scans that the operator has spread them over several shards of the scan log. No row: one shard.';
comment on column scan_spreads.from_at is
  'Scans from this moment on are spread like this. It is the start of a visitor window, unless the operator said otherwise.';
