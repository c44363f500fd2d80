-- Hosts that no code may lead to, each with its subdomains. As the destination rule reads them: lower case, punycode, no dot
-- at the end. Whoever writes a destination holds this table in row share mode until it has committed, and whoever blocks a
-- host waits for those: once a host is blocked, no code that leads there can still come to be.
create table blocked_hosts (
  host       text collate "C" primary key check (length(host) between 1 and 253),
  reason     text not null,
  created_at timestamptz not null
);

-- The operator changes codes by a command, without a key and without a session.
alter table code_edits alter column by_id drop not null;
alter table code_edits drop constraint code_edits_by_kind_check;
-- Not valid: all rows there are pass, and looking at each would hold up edits for as long.
alter table code_edits add constraint code_edits_by
  check (by_kind in ('key', 'user', 'operator') and (by_kind = 'operator') = (by_id is null)) not valid;
