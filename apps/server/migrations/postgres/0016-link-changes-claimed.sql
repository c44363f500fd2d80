-- Whoever tells redirects of a change claims it first and deletes it afterwards: redirects are not waited for inside a
-- transaction. A claim whose process has died runs out.
alter table link_changes add column claimed_at timestamptz;
