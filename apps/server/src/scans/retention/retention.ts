import { type Database, sql } from '../../platform/postgres/postgres.ts';
import { type Month, monthStartMs } from '../stores/month.ts';

/** Which months of scans were removed: from one moment up to another. Before the first there were no scans. */
export type Retention = { readonly removedFromMs: number; readonly retainedFromMs: number };

/** Null if nothing was removed. */
export async function readRetention(on: Database): Promise<Retention | null> {
  const [row] = await on.query<{ removed: Month | null; retained: Month | null }>(findRemoved);
  return row?.removed && row.retained
    ? { removedFromMs: monthStartMs(row.removed), retainedFromMs: monthStartMs(row.retained) }
    : null;
}

/** The shortest time from the end of a month to its removal, less a day for clocks that differ. */
const minRetainedMs = 58 * 24 * 60 * 60_000;

/** Whether a scan of this moment may be in a removed month; most are too new, and need no query. */
export const mayBeRemoved = (atMs: number, nowMs: number) => atMs < nowMs - minRetainedMs;

/** Scans before this moment are not counted. */
export async function readCountedFrom(on: Database): Promise<number> {
  const [row] = await on.query<{ month: Month }>(findCountedFrom);
  return monthStartMs(row!.month);
}

/** The same until the end of a transaction: no month is closed meanwhile, and so none is summed without its scans. */
export async function holdCountedFrom(tx: Database): Promise<number> {
  const [row] = await tx.query<{ month: Month }>(lockCountedFrom);
  return monthStartMs(row!.month);
}

/**
 * Held shared by whoever copies stored scans, until the end of a transaction: no month is removed meanwhile. It is its first
 * statement, so that the copy has either the scans of a month or its sums.
 */
export const keepMonths = `select pg_advisory_xact_lock_shared(hashtext('scan months'))`;

/** Runs `work` while nobody copies stored scans; false if somebody does. */
export const whenNotCopied = (db: Database, work: (tx: Database) => Promise<boolean>): Promise<boolean> =>
  db.transaction(async tx => {
    const [lock] = await tx.query<{ taken: boolean }>(takeMonths);
    return lock!.taken && (await work(tx));
  });

const findRemoved = sql(
  'scan-retention-find',
  'select removed_from as removed, retained_from as retained from scan_retention',
);

const findCountedFrom = sql(
  'scan-retention-counted-from',
  'select counted_from as month from scan_retention',
);

const lockCountedFrom = sql(
  'scan-retention-hold-counted-from',
  'select counted_from as month from scan_retention for share',
);

const takeMonths = sql(
  'scan-retention-take-months',
  `select pg_try_advisory_xact_lock(hashtext('scan months')) as taken`,
);
