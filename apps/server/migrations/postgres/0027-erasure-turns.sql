-- What all ingest processes together do at most so often for the scans of deleted codes: hide them in ClickHouse, and
-- rewrite parts with hidden rows. A row says when that was begun last.
create table erasure_turns (
  task text primary key,
  at   timestamptz not null
);

-- Months of scans that have hidden rows in ClickHouse, and since when: they leave the disk within a bounded time. With it
-- when ClickHouse was last asked to rewrite the month, and the version that a part has from then on.
create table hidden_months (
  month         text primary key,
  since         timestamptz not null default now(),
  asked_at      timestamptz,
  asked_version bigint
);
