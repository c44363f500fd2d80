-- When whole backups were finished, so that somebody notices when there are none any more. The newest are kept, others go.
create table backups (
  id          bigint generated always as identity primary key,
  -- By this server's clock. Of a backup that was restored: the moment that it shows, so that a copy never looks newer than it is.
  finished_at timestamptz not null default now(),
  -- full: by `signpost backup`. recorded: by other means, as `signpost backup --record` was told. none: no backup,
  -- but since when one has been waited for.
  kind        text not null check (kind in ('full', 'recorded', 'none')),
  -- Of all its files; null where nobody knows.
  bytes       bigint
);

insert into backups (kind) values ('none');
