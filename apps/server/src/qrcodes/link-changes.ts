import { type Database, sql } from '../platform/postgres.ts';

/**
 * Records, in the transaction of a change, that redirects are to be notified of these links once more: the process that
 * makes the change may die before it has notified them.
 */
export async function noteLinkChanges(tx: Database, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await tx.query(insertChanges, [keys]);
}

const insertChanges = sql('note-link-changes', 'insert into link_changes (key) select unnest($1::text[])');
