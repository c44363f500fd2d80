-- An installation of 0.1 as it was stopped, with at least one row in every table. Keys, and the endpoint with its secret,
-- are made by the test. Visitors are of a window that never ends, so that none is old when the test runs.

update plans set requests_per_minute = 90 where name = 'pro';
insert into plans (name, requests_per_minute, code_quota, quota_scope, webhooks) values ('partner', 600, 20, 'api', true);

insert into accounts (id, name, plan, created_at, closed_at) values
  ('0193a000-0000-7000-8000-0000000000a1', 'Café Anna', 'pro', '2026-10-01', null),
  ('0193a000-0000-7000-8000-0000000000a2', 'Bar Ben', 'partner', '2026-10-02', null),
  ('0193a000-0000-7000-8000-0000000000a3', '', 'free', '2026-10-03', '2026-10-20');

insert into auth_users (id, name, email, created_at, updated_at) values
  ('0193a000-0000-7000-8000-0000000000e1', 'Anna', 'anna@people.example', '2026-10-01', '2026-10-01'),
  ('0193a000-0000-7000-8000-0000000000e2', 'Ben', 'ben@people.example', '2026-10-02', '2026-10-02');

insert into auth_sessions (id, user_id, token, device, expires_at, created_at, updated_at) values
  ('0193a000-0000-7000-8000-0000000000e3', '0193a000-0000-7000-8000-0000000000e1', 'token-of-anna', 'chrome, desktop',
   '2099-01-01', '2026-11-01', '2026-11-01');

insert into auth_credentials (id, user_id, account_id, provider_id, password, created_at, updated_at) values
  ('0193a000-0000-7000-8000-0000000000e4', '0193a000-0000-7000-8000-0000000000e1', '0193a000-0000-7000-8000-0000000000e1',
   'credential', 'salt:hash', '2026-10-01', '2026-10-01');

insert into auth_verifications (id, identifier, value, expires_at, created_at, updated_at) values
  ('0193a000-0000-7000-8000-0000000000e5', 'reset-password:token', 'anna', '2099-01-01', '2026-11-01', '2026-11-01');

insert into members (user_id, account_id, is_operator, created_at) values
  ('0193a000-0000-7000-8000-0000000000e1', '0193a000-0000-7000-8000-0000000000a1', true, '2026-10-01'),
  ('0193a000-0000-7000-8000-0000000000e2', '0193a000-0000-7000-8000-0000000000a2', false, '2026-10-02');

insert into qr_codes (id, account_id, mode, number, status, made_by, made_by_id, short_code, name, destination_url, style,
                      created_at, updated_at) values
  ('0193a000-0000-7000-8000-0000000000c1', '0193a000-0000-7000-8000-0000000000a1', 'live', 1, 'active', 'api', null,
   'Menu', 'Menu', 'https://example.com/menu', '{}', '2026-10-05', '2026-10-06'),
  ('0193a000-0000-7000-8000-0000000000c2', '0193a000-0000-7000-8000-0000000000a1', 'live', 2, 'paused', 'dashboard',
   '0193a000-0000-7000-8000-0000000000e1', 'summer', 'Summer', 'https://example.com/summer', '{}', '2026-10-05', '2026-10-06'),
  ('0193a000-0000-7000-8000-0000000000c3', '0193a000-0000-7000-8000-0000000000a1', 'live', 3, 'draft', 'api', null,
   'soon', 'Soon', 'https://example.com/soon', '{}', '2026-10-05', '2026-10-05'),
  ('0193a000-0000-7000-8000-0000000000c4', '0193a000-0000-7000-8000-0000000000a1', 'live', 4, 'deleted', 'api', null,
   'gone', '', '', '{}', '2026-10-05', '2026-11-09'),
  ('0193a000-0000-7000-8000-0000000000c5', '0193a000-0000-7000-8000-0000000000a1', 'live', 5, 'paused', 'api', null,
   'phish', 'Prize', 'https://win.bad.example/prize', '{}', '2026-10-05', '2026-10-07'),
  ('0193a000-0000-7000-8000-0000000000c6', '0193a000-0000-7000-8000-0000000000a1', 'test', 1, 'active', 'api', null,
   'Trial', 'Trial', 'https://example.com/trial', '{}', '2026-10-05', '2026-10-05'),
  ('0193a000-0000-7000-8000-0000000000c7', '0193a000-0000-7000-8000-0000000000a1', 'test', 2, 'deleted', 'api', null,
   'gone-test', '', '', '{}', '2026-10-05', '2026-11-09'),
  ('0193a000-0000-7000-8000-0000000000c8', '0193a000-0000-7000-8000-0000000000a2', 'test', 1, 'draft', 'api', null,
   'bens-draft', 'Draft', 'https://example.com/ben', '{}', '2026-10-05', '2026-10-05');

insert into code_tallies (account_id, mode, last_number, active, paused, draft, made_by_api) values
  ('0193a000-0000-7000-8000-0000000000a1', 'live', 5, 1, 2, 1, 3),
  ('0193a000-0000-7000-8000-0000000000a1', 'test', 2, 1, 0, 0, 1),
  ('0193a000-0000-7000-8000-0000000000a2', 'live', 0, 0, 0, 0, 0),
  ('0193a000-0000-7000-8000-0000000000a2', 'test', 1, 0, 0, 1, 1);

insert into code_blocks (account_id, mode, block, active, paused, draft) values
  ('0193a000-0000-7000-8000-0000000000a1', 'live', 0, 1, 2, 1),
  ('0193a000-0000-7000-8000-0000000000a1', 'test', 0, 1, 0, 0),
  ('0193a000-0000-7000-8000-0000000000a2', 'test', 0, 0, 0, 1);

insert into code_edits (id, qr_code_id, at, by_kind, by_id, field, before, after) values
  ('0193a000-0000-7000-8000-0000000000d1', '0193a000-0000-7000-8000-0000000000c2', '2026-10-06', 'user',
   '0193a000-0000-7000-8000-0000000000e1', 'status', 'active', 'paused'),
  ('0193a000-0000-7000-8000-0000000000d2', '0193a000-0000-7000-8000-0000000000c5', '2026-10-07', 'operator', null,
   'status', 'active', 'paused');

insert into blocked_hosts (host, reason, created_at) values ('bad.example', 'reported by the bank', '2026-10-07');

insert into link_changes (short_code) values ('menu');

insert into idempotency_keys (account_id, mode, key, fingerprint, status, body, created_at) values
  ('0193a000-0000-7000-8000-0000000000a1', 'live', 'order-7', '\x00', 201, '{"id":"qr_1"}', '2026-11-10');

insert into visitor_salts ("window", salt, created_at) values ('2099-11', decode(repeat('ab', 32), 'hex'), '2026-11-01');

-- Three scans of Menu are counted: two are in ClickHouse, the third is the entry at position 1 of the log, still open.
insert into scan_counts (qr_code_id, total_scans, unique_scans) values ('0193a000-0000-7000-8000-0000000000c1', 3, 2);

create table visitors_2099_11 partition of visitors for values in ('2099-11');
insert into visitors (qr_code_id, time_window, visitor) values
  ('0193a000-0000-7000-8000-0000000000c1', '2099-11', '00000000-0000-0000-0000-000000000001'),
  ('0193a000-0000-7000-8000-0000000000c1', '2099-11', '00000000-0000-0000-0000-000000000002');

create table account_visitors_2099_11 partition of account_visitors for values in ('2099-11');
insert into account_visitors (account_id, time_window, visitor, number) values
  ('0193a000-0000-7000-8000-0000000000a1', '2099-11', '00000000-0000-0000-0000-000000000001', nextval('visitor_numbers')),
  ('0193a000-0000-7000-8000-0000000000a1', '2099-11', '00000000-0000-0000-0000-000000000002', nextval('visitor_numbers'));

insert into ingest_positions (shard, position, owner, seen_at, updated_at) values
  (0, 1, '0193a000-0000-7000-8000-000000000001', '2026-11-10', '2026-11-10');
insert into ingest_groups (shard, after_position, to_position, verdicts, numbers) values (0, 0, 1, '\x02', '\x000000000002');
insert into scan_batches (batch_id, at) values ('0193a000-0000-7000-8000-00000000b001', now() - interval '1 day');
insert into ingest_set_aside (shard, position, reason, entry) values (7, 3, 'bad_value', 'no batch');

insert into erasures (qr_code_id, requested_at, sweep_at, account_id, mode) values
  ('0193a000-0000-7000-8000-0000000000c4', '2026-11-09', '2099-01-01', '0193a000-0000-7000-8000-0000000000a1', 'live'),
  ('0193a000-0000-7000-8000-0000000000c7', '2026-11-09', '2099-01-01', null, null);

insert into webhook_messages (id, endpoint_id, account_id, mode, qr_code_id, body, created_at, status, tries, attempts,
                              next_at, last_at, response_status, error, trace) values
  ('0193a000-0000-7000-8000-0000000000f2', '0193a000-0000-7000-8000-0000000000f1', '0193a000-0000-7000-8000-0000000000a1',
   'live', '0193a000-0000-7000-8000-0000000000c1', '{"type":"scan.created"}', '2026-11-10', 'pending', 1, 1, '2099-01-01',
   '2026-11-10', 500, 'status', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01');

insert into webhook_attempts (message_id, qr_code_id, attempt) values
  ('0193a000-0000-7000-8000-0000000000f2', '0193a000-0000-7000-8000-0000000000c1', '{"id":"0193a000-0000-7000-8000-0000000000f3"}');

insert into webhook_announcements (token, at) values ('0/0/1', '2026-11-10');
