-- Lists of hosts and URLs that no code may lead to, imported by the operator. A list is replaced as a whole: a new generation
-- is loaded beside the one in force, then takes its place in one statement.
create table list_generations (
  id         bigint generated always as identity primary key,
  list       text collate "C" not null,
  -- When something was last loaded. One that is not in force and has rested for an hour was left behind by its import.
  touched_at timestamptz not null,
  -- Nothing is loaded into it any more; its rows go, some at a time, and then this one.
  dropped_at timestamptz
);

create table lists (
  name        text collate "C" primary key,
  format      text not null,
  generation  bigint not null unique references list_generations (id),
  imported_at timestamptz not null,
  expires_at  timestamptz, -- null: in force until it is replaced or removed
  hosts       bigint not null,
  urls        bigint not null
);

create table listed_hosts (
  host       text collate "C" not null,
  generation bigint not null,
  primary key (host, generation)
);

create table listed_urls (
  -- The first 16 bytes of SHA-256 of the URL in the form that lists are compared in, as code_targets has it.
  hash       bytea not null check (length(hash) = 16),
  generation bigint not null,
  primary key (hash, generation)
);

-- When every target is next looked up in the lists, and how far that is. The time of day is the installation's own, so
-- that installations which share a machine do not all work at once.
create table list_checks (
  "only"     boolean primary key default true check ("only"),
  due_at     timestamptz not null,
  after      uuid not null default '00000000-0000-0000-0000-000000000000',
  claimed_at timestamptz
);

insert into list_checks (due_at) values (now() + random() * interval '1 day');
