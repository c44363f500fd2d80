-- Two scans of Menu by one visitor, and the first attempt of a webhook message, as 0.1 had stored them.
insert into scans (account_id, qr_code_id, at, id, mode, country, region, city, device, browser, visitor, visitor_number,
                   time_window, is_unique, shard, position, place) values
  ('0193a000-0000-7000-8000-0000000000a1', '0193a000-0000-7000-8000-0000000000c1', '2026-11-10 10:00:00.000',
   '0193a000-0000-7000-8000-000000000501', 'live', 'DE', 'Bavaria', 'Munich', 'ios', 'safari',
   '00000000-0000-0000-0000-000000000001', 1, '2099-11', true, 5, 1, 0),
  ('0193a000-0000-7000-8000-0000000000a1', '0193a000-0000-7000-8000-0000000000c1', '2026-11-10 11:00:00.000',
   '0193a000-0000-7000-8000-000000000502', 'live', 'FR', '', '', 'android', 'chrome',
   '00000000-0000-0000-0000-000000000001', 1, '2099-11', false, 5, 1, 1);

insert into webhook_attempts (account_id, endpoint_id, created_at, message_id, at, id, mode, qr_code_id, attempt, duration_ms,
                              response_status, error, response, status, body) values
  ('0193a000-0000-7000-8000-0000000000a1', '0193a000-0000-7000-8000-0000000000f1', now64(3),
   '0193a000-0000-7000-8000-0000000000f4', now64(3), '0193a000-0000-7000-8000-0000000000f5', 'live',
   '0193a000-0000-7000-8000-0000000000c1', 1, 12, 200, '', 'ok', 'delivered', '{"type":"scan.created"}');
