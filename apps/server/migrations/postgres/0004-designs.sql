create table assets (
  id         uuid primary key,
  account_id uuid not null references accounts (id),
  mode       mode not null,
  digest     bytea not null check (length(digest) = 32),
  width      integer not null check (width > 0),
  height     integer not null check (height > 0),
  png        bytea not null,
  vector     text,
  created_at timestamptz not null,
  deleted_at timestamptz
);

create unique index assets_digest on assets (account_id, mode, digest);
create index assets_list on assets (account_id, mode, created_at, id) where deleted_at is null;
create index assets_deleted on assets (deleted_at) where deleted_at is not null;

comment on table assets is
  'Logos, as they were decoded, bounded and encoded again; never as they were sent. Within an account and mode a picture is kept once.';
comment on column assets.digest is 'SHA-256 of what was sent, by which a picture that is sent again is recognised.';
comment on column assets.vector is 'The same picture as SVG, rebuilt from the elements and attributes that are allowed.';
comment on column assets.deleted_at is
  'Deleted by its owner. The row stays for an hour: a code that was being made with it at that moment keeps its logo.';

create table designs (
  id         uuid primary key,
  account_id uuid not null references accounts (id),
  mode       mode not null,
  name       text not null,
  style      jsonb not null,
  frame      jsonb,
  is_default boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index designs_list on designs (account_id, mode, created_at, id);
create unique index designs_default on designs (account_id, mode) where is_default;
create index designs_logo on designs ((style -> 'logo' ->> 'asset_id')) where style ? 'logo';

comment on table designs is
  'Saved styles. A code copies the style of a design when it is made, so that changing a design changes no code.';
comment on column designs.is_default is 'The one that the dashboard starts with: at most one per account and mode.';
