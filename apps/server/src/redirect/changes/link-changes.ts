import { type Database, sql } from '../../platform/postgres/postgres.ts';
import type { CacheInvalidator } from './cache-invalidator.ts';

/** Makes every redirect forget these links after the transaction of their change, which resolves when all have. */
export async function invalidateLinks(
  tx: Database,
  links: CacheInvalidator,
  rows: readonly { readonly key: string }[],
): Promise<void> {
  if (rows.length === 0) return;
  const keys = rows.map(row => row.key);
  await noteLinkChanges(tx, keys);
  await tx.afterCommit(() => links.invalidate(keys));
}

/**
 * Records, in the transaction of a change, that redirects are to be notified of these links once more: the process that
 * makes the change may die before it has notified them.
 */
export async function noteLinkChanges(tx: Database, keys: readonly string[]): Promise<void> {
  await tx.query(insertChanges, [keys]);
}

const insertChanges = sql('note-link-changes', 'insert into link_changes (key) select unnest($1::text[])');
