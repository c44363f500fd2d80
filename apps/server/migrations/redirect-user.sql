-- The database user of redirect processes, who may read what they need, and nothing else. `signpost migrate` runs this if
-- REDIRECT_DATABASE_URL is set, each time: a new version may read another table.

do $$
begin
  if not exists (select from pg_roles where rolname = 'signpost_redirect') then
    create role signpost_redirect login;
  end if;
end
$$;

grant usage on schema public to signpost_redirect;
grant select on
  schema_migrations,  -- whether the database fits this version
  qr_codes,           -- where a short link leads
  code_targets,       -- the hosts that a preview shows
  suspensions,        -- stopped codes
  stops,              -- stopped accounts and hosts
  stop_version,
  link_changes,       -- edits that have no number yet
  visitor_salts,      -- the salts that ingest creates
  log_readers,        -- which layouts of scans every ingest can read
  scan_logs,          -- whether scans were ever counted
  scan_spreads        -- accounts that are spread over shards of the log
to signpost_redirect;
