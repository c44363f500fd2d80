-- Short codes, folded, of codes that were changed: written in the transaction of the change, for redirects to be told once
-- more a moment later. Whoever changes a code tells them before it answers, but may die in between.
create table link_changes (
  n          bigint generated always as identity primary key,
  short_code text collate "C" not null
);
