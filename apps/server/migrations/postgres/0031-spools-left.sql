-- Spools that a redirect left behind with scans in them when it stopped. The row goes when a process works on that
-- directory again, or when `signpost spool drain` has emptied it.
create table spools_left (
  -- From the file spool-id in the directory: it goes with the disk, wherever that is used next.
  spool_id  uuid not null,
  -- Of the machine, the container or the pod.
  host      text not null,
  directory text not null,
  scans     bigint not null,
  bytes     bigint not null,
  left_at   timestamptz not null default now(),
  primary key (spool_id, host)
);
