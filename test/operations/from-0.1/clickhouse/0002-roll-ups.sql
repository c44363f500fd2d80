-- Figures that are kept beside the rows, so that a question costs by its days and not by its scans. A projection is part
-- of the part that holds the rows it was made of: both are there or neither is, and they are merged together. ClickHouse
-- takes a projection by itself where a question asks for nothing but its keys, written as they are here.
--
-- Distinct visitors are counted by bitmaps of their numbers. Rows of before this migration have none and get 64 bits of a
-- hash instead: a visitor who scanned before and after the upgrade counts as two in that one window.
alter table scans add column if not exists visitor_number UInt64 default bitOr(sipHash64(visitor), 9223372036854775808)
  comment 'The number of the visitor among all, given out by ingest: the same for the same visitor' after visitor;

-- A lightweight delete drops the projections of the parts that it touches: it is quick, and what is asked of these parts
-- is worked out from the rows until they are merged again (see ingest/healing.ts). To make them anew at once would take
-- minutes on a large part.
alter table scans modify setting lightweight_mutation_projection_mode = 'drop';

-- By quarters of an hour, since every time zone of today begins its days at one.
alter table scans add projection if not exists code_quarters (
  select account_id, mode, qr_code_id, toStartOfFifteenMinutes(at), count(), groupBitmap(visitor_number)
   group by account_id, mode, qr_code_id, toStartOfFifteenMinutes(at)
);

alter table scans add projection if not exists code_days (
  select account_id, mode, qr_code_id, toDate(at), device, browser, count(), groupBitmap(visitor_number)
   group by account_id, mode, qr_code_id, toDate(at), device, browser
);

alter table scans add projection if not exists code_places (
  select account_id, mode, qr_code_id, toDate(at), country, city, count()
   group by account_id, mode, qr_code_id, toDate(at), country, city
);

alter table scans add projection if not exists account_quarters (
  select account_id, mode, toStartOfFifteenMinutes(at), count(), groupBitmap(visitor_number)
   group by account_id, mode, toStartOfFifteenMinutes(at)
);

alter table scans add projection if not exists account_days (
  select account_id, mode, toDate(at), device, browser, count(), groupBitmap(visitor_number)
   group by account_id, mode, toDate(at), device, browser
);

alter table scans add projection if not exists account_places (
  select account_id, mode, toDate(at), country, city, count()
   group by account_id, mode, toDate(at), country, city
);

-- For the rows that are there already; in the background.
alter table scans materialize projection code_quarters;
alter table scans materialize projection code_days;
alter table scans materialize projection code_places;
alter table scans materialize projection account_quarters;
alter table scans materialize projection account_days;
alter table scans materialize projection account_places;
