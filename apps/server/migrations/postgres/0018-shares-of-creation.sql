-- What nobody pays for has a bound too: names and rows that are taken are taken for good.
alter table plans
  -- Live codes that people may make in the dashboard, apart from what the API may make. null: only the quota counts.
  add column session_codes        integer check (session_codes >= 0),
  -- Codes in test mode, however they are made. null: no limit.
  add column test_codes           integer default 10000 check (test_codes >= 0),
  -- Codes that may be made in any 60 seconds, in each mode; a bulk weighs as many as it has items. null: no limit.
  -- A quota that fits into one bulk can always be made in one.
  add column creations_per_minute integer default 10000 check (creations_per_minute > 0);

update plans set session_codes = 100, creations_per_minute = 500 where name = 'free';
update plans set creations_per_minute = 1000 where name = 'pro';
update plans set creations_per_minute = 2500 where name = 'business';
