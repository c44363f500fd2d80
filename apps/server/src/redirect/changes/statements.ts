import { sql } from '../../platform/postgres/postgres.ts';

/** Cheaper than a claim, and mostly there is none. */
export const anyChange = sql('any-link-change', 'select from link_changes limit 1');
/** Claims those that no other process has claimed, or whose claim has expired. */
export const claimChanges = sql(
  'claim-link-changes',
  `update link_changes set claimed_at = now()
    where n = any(array(
      select n from link_changes where claimed_at is null or claimed_at < now() - $2 * interval '1 millisecond'
       order by n limit $1 for update skip locked))
   returning n, key`,
);
export const deleteChanges = sql('delete-link-changes', 'delete from link_changes where n = any($1)');
export const releaseChanges = sql(
  'release-link-changes',
  'update link_changes set claimed_at = null where n = any($1)',
);
