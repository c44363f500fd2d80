-- A number for every visitor of an account in a window. Analytics keep sets of visitors as bitmaps of these numbers, which
-- unite exactly and stay small as long as numbers that are given out at about the same time lie close together. One
-- sequence for all: a number costs no lock, and those that a rollback leaves out do no harm.
create sequence visitor_numbers;

create table account_visitors (
  account_id  uuid not null,
  time_window text collate "C" not null,
  visitor     uuid not null,
  number      bigint not null,
  primary key (account_id, time_window, visitor)
) partition by list (time_window);

-- Six bytes a scan in the order of the log: the number of its visitor. Written down for the same reason as the verdicts.
-- Empty where the group was counted before visitors had numbers.
alter table ingest_groups add column numbers bytea not null default '';

-- Whose code it was: analytics leave out what is being erased. Rows of before are soon done and nobody asks for them.
alter table erasures add column account_id uuid, add column mode mode;
create index erasures_owner on erasures (account_id, mode);
