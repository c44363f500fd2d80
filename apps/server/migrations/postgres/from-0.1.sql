-- Brings a stopped database of 0.1 to the schema of 0001 to 0007, in one transaction. The tables of 0.1 are put aside, those
-- of this version are created, the rows are copied, and the old tables are dropped: however 0.1 had built its tables, the
-- result is the schema of a new database. While it runs, the rows take their room on the disk twice.

create schema signpost_0_1;

alter table plans set schema signpost_0_1;
alter table accounts set schema signpost_0_1;
alter table api_keys set schema signpost_0_1;
alter table qr_codes set schema signpost_0_1;
alter table code_tallies set schema signpost_0_1;
alter table code_blocks set schema signpost_0_1;
alter table scan_counts set schema signpost_0_1;
alter table idempotency_keys set schema signpost_0_1;
alter table visitor_salts set schema signpost_0_1;
alter table ingest_positions set schema signpost_0_1;
alter table ingest_groups set schema signpost_0_1;
alter table scan_batches set schema signpost_0_1;
alter table ingest_set_aside set schema signpost_0_1;
alter table erasures set schema signpost_0_1;
alter table webhook_endpoints set schema signpost_0_1;
alter table webhook_messages set schema signpost_0_1;
alter table webhook_attempts set schema signpost_0_1;
alter table webhook_announcements set schema signpost_0_1;
alter table auth_users set schema signpost_0_1;
alter table auth_sessions set schema signpost_0_1;
alter table auth_credentials set schema signpost_0_1;
alter table auth_verifications set schema signpost_0_1;
alter table members set schema signpost_0_1;
alter table code_edits set schema signpost_0_1;
alter table blocked_hosts set schema signpost_0_1;
alter table link_changes set schema signpost_0_1;
alter sequence visitor_numbers set schema signpost_0_1;

-- Visitors have a partition for each window.
do $$
declare
  part regclass;
begin
  for part in select inhrelid from pg_inherits where inhparent in ('visitors'::regclass, 'account_visitors'::regclass) loop
    execute format('alter table %s set schema signpost_0_1', part);
  end loop;
end $$;
alter table visitors set schema signpost_0_1;
alter table account_visitors set schema signpost_0_1;

alter type mode set schema signpost_0_1;
alter type qr_code_status set schema signpost_0_1;

-- NEW TABLES: the migrations 0001 to 0007 run here.

-- Plans are data that operators change, so theirs replace the ones that 0001 inserts. 0.1 had no limits of creation: the
-- plans that it came with get the ones of today.
delete from plans;
insert into plans (name, requests_per_minute, quota_scope, code_quota, session_codes, creations_per_minute, webhooks)
select name, requests_per_minute, quota_scope, code_quota,
       case name when 'free' then 100 end,
       case name when 'free' then 500 when 'pro' then 1000 when 'business' then 2500 else 10000 end,
       webhooks
  from signpost_0_1.plans;

-- Every account gets a test tag by default.
insert into accounts (id, name, plan, created_at, closed_at)
select id, name, plan, created_at, closed_at from signpost_0_1.accounts;

insert into api_keys (id, account_id, mode, name, hash, hint, created_at, last_used_at, revoked_at)
select id, account_id, mode::text::mode, name, hash, hint, created_at, last_used_at, revoked_at from signpost_0_1.api_keys;

-- Nobody of 0.1 was asked to confirm an address: their keys count as theirs, so that none stops by surprise.
insert into auth_users (id, name, email, email_verified, verified_at, image, created_at, updated_at)
select id, name, email, email_verified, created_at, image, created_at, updated_at from signpost_0_1.auth_users;

insert into auth_sessions (id, user_id, token, device, ip_address, expires_at, created_at, updated_at)
select id, user_id, token, device, ip_address, expires_at, created_at, updated_at from signpost_0_1.auth_sessions;

insert into auth_credentials (id, user_id, account_id, provider_id, password, access_token, refresh_token, id_token,
                              access_token_expires_at, refresh_token_expires_at, scope, created_at, updated_at)
select id, user_id, account_id, provider_id, password, access_token, refresh_token, id_token,
       access_token_expires_at, refresh_token_expires_at, scope, created_at, updated_at
  from signpost_0_1.auth_credentials;

-- Links to set a password (auth_verifications) were stored in the clear: they end, and people ask for new ones.

insert into members (user_id, account_id, role, created_at)
select user_id, account_id, 'owner', created_at from signpost_0_1.members;

insert into operators (user_id, created_at)
select user_id, created_at from signpost_0_1.members where is_operator;

-- Test codes move from the names of live codes into the key space of their account, tombstones included.
insert into qr_codes (id, account_id, mode, number, status, key_space, short_code, name, destination_url, style,
                      made_by, made_by_id, created_at, updated_at)
select c.id, c.account_id, c.mode::text::mode, c.number, c.status::text::qr_code_status,
       case c.mode when 'test' then 't/' || a.test_tag || '/' else '' end,
       c.short_code, c.name, c.destination_url, c.style, c.made_by, c.made_by_id, c.created_at, c.updated_at
  from signpost_0_1.qr_codes c join accounts a on a.id = c.account_id;

insert into code_counts (account_id, mode, last_number, active, paused, draft, made_by_api)
select account_id, mode::text::mode, last_number, active, paused, draft, made_by_api from signpost_0_1.code_tallies;

insert into count_buckets (account_id, mode, bucket, active, paused, draft)
select account_id, mode::text::mode, block, active, paused, draft from signpost_0_1.code_blocks;

insert into code_edits (id, qr_code_id, at, by_kind, by_id, field, before, after)
select id, qr_code_id, at, by_kind, by_id, field, before, after from signpost_0_1.code_edits;

-- The API fills code_targets while the service runs: hosts and hashes are computed there. Changes of links
-- (link_changes) are not copied: no redirect runs that would have to be notified.
update backfills set done_at = null where name = 'code_targets' and exists (select from qr_codes);

insert into scan_counts (qr_code_id, total_scans, unique_scans)
select qr_code_id, total_scans, unique_scans from signpost_0_1.scan_counts;

insert into visitor_salts ("window", salt, created_at)
select "window", salt, created_at from signpost_0_1.visitor_salts;

insert into ingest_positions (shard, position, seen_at, updated_at)
select shard, position, seen_at, updated_at from signpost_0_1.ingest_positions;

-- Without their entries, which ingest reads from the log again.
insert into ingest_groups (shard, after_position, to_position, classifications, numbers)
select shard, after_position, to_position, verdicts, numbers from signpost_0_1.ingest_groups;

insert into ingest_quarantine (shard, position, reason, entry, at)
select shard, position, reason, convert_to(entry, 'UTF8'), at from signpost_0_1.ingest_set_aside;

insert into scan_batches (batch_id, at)
select batch_id, at from signpost_0_1.scan_batches;

do $$
declare
  part record;
begin
  for part in
    select child.relname as name, parent.relname as parent, pg_get_expr(child.relpartbound, child.oid) as bound
      from pg_inherits i join pg_class child on child.oid = i.inhrelid join pg_class parent on parent.oid = i.inhparent
     where parent.relnamespace = 'signpost_0_1'::regnamespace and parent.relkind = 'p'
  loop
    execute format('create table %I partition of %I %s', part.name, part.parent, part.bound);
  end loop;
end $$;

insert into visitors (qr_code_id, time_window, visitor)
select qr_code_id, time_window, visitor from signpost_0_1.visitors;

insert into account_visitors (account_id, time_window, visitor, number)
select account_id, time_window, visitor, number from signpost_0_1.account_visitors;

select setval('visitor_numbers', last_value, is_called) from signpost_0_1.visitor_numbers;

-- The oldest rows of 0.1 do not say whose code it was; the code itself does.
insert into erasures (qr_code_id, account_id, mode, requested_at, sweeps, sweep_at)
select e.qr_code_id, c.account_id, c.mode, e.requested_at, e.sweeps, e.sweep_at
  from signpost_0_1.erasures e join qr_codes c on c.id = e.qr_code_id;

-- proven_at stays empty, since PostgreSQL keeps no trace of what was delivered: the next success sets it.
insert into webhook_endpoints (id, account_id, mode, url, description, enabled, disabled_reason, secret, old_secret,
                               old_secret_until, failing_since, created_at, updated_at, deleted_at)
select id, account_id, mode::text::mode, url, description, enabled, disabled_reason, secret, old_secret,
       old_secret_until, failing_since, created_at, updated_at, deleted_at
  from signpost_0_1.webhook_endpoints;

insert into webhook_messages (id, endpoint_id, account_id, mode, qr_code_id, body, trace, created_at, status, tries,
                              attempts, next_at, last_at, response_status, error)
select id, endpoint_id, account_id, mode::text::mode, qr_code_id, body, trace, created_at, status, tries,
       attempts, next_at, last_at, response_status, error
  from signpost_0_1.webhook_messages;

insert into webhook_attempts (n, message_id, qr_code_id, attempt) overriding system value
select n, message_id, qr_code_id, attempt from signpost_0_1.webhook_attempts;

select setval(pg_get_serial_sequence('webhook_attempts', 'n'), max(n)) from webhook_attempts;

insert into webhook_publications (token, at)
select token, at from signpost_0_1.webhook_announcements;

-- Their reason was promised to be for the operator alone, so owners read no reason.
insert into blocked_hosts (host, reason, created_at)
select host, reason, created_at from signpost_0_1.blocked_hosts;

-- 0.1 paused the codes of a blocked host. Redirects now stop the host as well.
insert into stops (subject, reason, n, changed_at, relayed)
select 'host/' || host, 'blocked', row_number() over (order by host), created_at, true from blocked_hosts;
update stop_version set n = (select count(*) from stops);

insert into idempotency_keys (account_id, mode, key, fingerprint, status, body, created_at)
select account_id, mode::text::mode, key, fingerprint, status, body, created_at from signpost_0_1.idempotency_keys;

-- Without cascade: where an operator's own view reads one of these tables, nothing is done, and the error names the view.
drop table signpost_0_1.plans, signpost_0_1.accounts, signpost_0_1.api_keys, signpost_0_1.qr_codes,
  signpost_0_1.code_tallies, signpost_0_1.code_blocks, signpost_0_1.scan_counts, signpost_0_1.idempotency_keys,
  signpost_0_1.visitor_salts, signpost_0_1.ingest_positions, signpost_0_1.ingest_groups, signpost_0_1.scan_batches,
  signpost_0_1.ingest_set_aside, signpost_0_1.erasures, signpost_0_1.webhook_endpoints, signpost_0_1.webhook_messages,
  signpost_0_1.webhook_attempts, signpost_0_1.webhook_announcements, signpost_0_1.auth_users,
  signpost_0_1.auth_sessions, signpost_0_1.auth_credentials, signpost_0_1.auth_verifications, signpost_0_1.members,
  signpost_0_1.code_edits, signpost_0_1.blocked_hosts, signpost_0_1.link_changes, signpost_0_1.visitors,
  signpost_0_1.account_visitors;
drop sequence signpost_0_1.visitor_numbers;
drop type signpost_0_1.mode, signpost_0_1.qr_code_status;
drop schema signpost_0_1;
