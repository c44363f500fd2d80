import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';

/**
 * Stops codes that have reached their limit of scans, in the transaction that counts these, and has redirects told. A code
 * that is being edited or deleted just now is skipped, since that locks the code before its counts: the edit itself, or the
 * next scan, finds that it is used up.
 */
export async function markUsedUp(
  tx: Database,
  codes: readonly { readonly id: Uuid; readonly totalScans: number }[],
): Promise<void> {
  await tx.query(updateUsedUp, [codes.map(({ id }) => id), codes.map(({ totalScans }) => totalScans)]);
}

const updateUsedUp = sql(
  'mark-used-up',
  `with used_up as (
     update qr_codes set used_up_at = now()
      where id = any(array(
        select c.id from qr_codes c join unnest($1::uuid[], $2::bigint[]) as counted (id, total) on counted.id = c.id
         where c.max_scans <= counted.total and c.used_up_at is null and c.status <> 'deleted'
           for no key update of c skip locked))
     returning link_key as key
   )
   insert into link_changes (key) select key from used_up`,
);
