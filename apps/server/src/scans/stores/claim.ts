import { type Database, sql } from '../../platform/postgres/postgres.ts';

export type StoreName = 'postgres' | 'clickhouse';

/** The store of this installation: the given one, unless an earlier process has decided otherwise. */
export async function claimStore(db: Database, given: StoreName): Promise<StoreName> {
  await db.query(claim, [given]);
  // A statement of its own: the one above does not see what another process inserts at the same time.
  const [row] = await db.query<{ store: StoreName }>(find);
  return row!.store;
}

const claim = sql('scan-store-claim', 'insert into scan_store (store) values ($1) on conflict do nothing');
const find = sql('scan-store-find', 'select store from scan_store');
