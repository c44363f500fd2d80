import { type Database, sql } from '../../platform/postgres/postgres.ts';

export type StoreName = 'postgres' | 'clickhouse';

/** The store of this installation: the given one, unless an earlier process has decided otherwise. */
export async function claimStore(db: Database, given: StoreName): Promise<StoreName> {
  await db.query(claim, [given]);
  // A statement of its own: the one above does not see what another process inserts at the same time.
  return (await findStore(db)) ?? given;
}

export async function findStore(db: Database): Promise<StoreName | null> {
  const [row] = await db.query<{ store: StoreName }>(find);
  return row?.store ?? null;
}

/**
 * Throws unless PostgreSQL stores the scans until this transaction ends. A process that was started before the scans were
 * moved to ClickHouse must neither write nor erase rows that nobody reads any more.
 */
export async function requireRowsHere(tx: Database): Promise<void> {
  const [row] = await tx.query<{ free: boolean }>(share);
  if (!row!.free)
    throw new Error('The scans are being moved to ClickHouse. Counting continues in a moment by itself.');
  // A statement of its own, which sees what was committed before the lock was free.
  if ((await findStore(tx)) === 'clickhouse')
    throw new Error('The scans are in ClickHouse now. Set CLICKHOUSE_URL and restart this process.');
}

/** Waits for the transactions that write rows, and lets no other begin before this one ends. */
export async function excludeWriters(tx: Database): Promise<void> {
  await tx.query(exclude);
}

/** The ClickHouse that scans are being moved to; null if none. */
export async function findTarget(db: Database): Promise<string | null> {
  const [row] = await db.query<{ target: string | null }>(target);
  return row?.target ?? null;
}

export async function setTarget(db: Database, name: string): Promise<void> {
  await db.query(aim, [name]);
}

export async function switchToClickHouse(tx: Database): Promise<void> {
  await tx.query(switchStore);
}

const claim = sql('scan-store-claim', 'insert into scan_store (store) values ($1) on conflict do nothing');
const find = sql('scan-store-find', 'select store from scan_store');
const target = sql('scan-store-target', 'select moving_to as target from scan_store');
const aim = sql('scan-store-aim', 'update scan_store set moving_to = $1');
const switchStore = sql('scan-store-switch', `update scan_store set store = 'clickhouse', moving_to = null`);

/** It is not waited for: a transaction that waits here would hold its shard. */
const share = sql(
  'scan-store-share',
  `select pg_try_advisory_xact_lock_shared(hashtext('scan store')) as free`,
);
const exclude = sql('scan-store-exclude', `select pg_advisory_xact_lock(hashtext('scan store'))`);
