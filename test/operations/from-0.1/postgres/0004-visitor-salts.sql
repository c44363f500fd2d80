-- The salt that makes visitors of one window of time. All processes share it, and it is destroyed two days after the
-- window has closed: from then on nobody can work a visitor out again.
create table visitor_salts (
  "window"   text primary key, -- 2026-11, or 2026-11-15
  salt       bytea not null check (octet_length(salt) = 32),
  created_at timestamptz not null
);
