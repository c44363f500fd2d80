import type { Database } from '../platform/postgres/postgres.ts';
import * as statements from './count-statements.ts';
import type { CodeUsage } from './creation/quota.ts';
import type { Owner, Status } from './qr-code.ts';

/** How many numbers share a row of `count_buckets`. The statements that insert and pause codes agree on it. */
const bucketSize = 1000;

/** How many codes an account has, in `code_counts` and for every 1,000 numbers in `count_buckets`. */
export type CodeCounts = { active: number; paused: number; draft: number; made_by_api: number };

/** The lock that orders everything that creates, pauses, resumes or deletes codes of an account. */
export async function lockCounts(tx: Database, owner: Owner): Promise<void> {
  const lock = () => tx.query(statements.lockCounts, [owner.accountId, owner.mode]);
  // Another transaction may have added them meanwhile.
  if ((await lock()).length === 0 && !(await addCounts(tx, owner))) await lock();
}

/** Adds the counts of an account, before its first code; false where it has them already, or is closed. */
export async function addCounts(db: Database, { accountId, mode }: Owner): Promise<boolean> {
  return (await db.query(statements.insertCounts, [accountId, mode])).length > 0;
}

export async function findCounts(db: Database, { accountId, mode }: Owner): Promise<CodeCounts> {
  const [row] = await db.query<CodeCounts>(statements.findCounts, [accountId, mode]);
  return row ?? { active: 0, paused: 0, draft: 0, made_by_api: 0 };
}

/** How many codes there are, as quotas count them. */
export async function countUsage(db: Database, owner: Owner): Promise<CodeUsage> {
  const { active, paused, draft, made_by_api: byApi } = await findCounts(db, owner);
  const all = active + paused + draft;
  return { all, byApi, bySessions: all - byApi };
}

type ListStart = { readonly bound: number; readonly skip: number };

/**
 * The number below which a page starts, or from which on where the oldest come first, and how many codes to skip from there;
 * null where the list is shorter.
 */
export async function findListStart(
  db: Database,
  { accountId, mode }: Owner,
  offset: number,
  status: Status | null,
  direction: 'asc' | 'desc',
): Promise<ListStart | null> {
  const isNewestFirst = direction === 'desc';
  if (offset < bucketSize) return { bound: isNewestFirst ? Number.MAX_SAFE_INTEGER : 0, skip: offset };
  const statement = isNewestFirst ? statements.findBucketFromNewest : statements.findBucketFromOldest;
  const [row] = await db.query<{ bucket: number; before: number }>(statement, [
    accountId,
    mode,
    status,
    offset,
  ]);
  if (!row) return null;
  const bound = (isNewestFirst ? row.bucket + 1 : row.bucket) * bucketSize;
  return { bound, skip: offset - row.before };
}

/** Counts a code under its new status. */
export async function countStatusChange(
  tx: Database,
  { accountId, mode }: Owner,
  number: number,
  before: Status,
  after: Status,
): Promise<void> {
  const difference = (status: Status) => Number(after === status) - Number(before === status);
  await tx.query(statements.adjustCounts, [
    accountId,
    mode,
    Math.floor(number / bucketSize),
    difference('active'),
    difference('paused'),
    difference('draft'),
    0,
  ]);
}

/** The same for many codes. */
export async function countStatusChanges(
  tx: Database,
  { accountId, mode }: Owner,
  pairs: readonly (readonly [before: Counted, after: Counted])[],
): Promise<void> {
  const changed = pairs.filter(([before, after]) => before.status !== after.status);
  if (changed.length === 0) return;
  const byBucket = Map.groupBy(changed, ([{ number }]) => Math.floor(number / bucketSize));
  // Negative, since the statement subtracts.
  const lost = (status: Status) =>
    [...byBucket.values()].map(some =>
      some.reduce(
        (sum, [before, after]) => sum + Number(before.status === status) - Number(after.status === status),
        0,
      ),
    );
  await tx.query(statements.subtractCounts, [
    accountId,
    mode,
    [...byBucket.keys()],
    lost('active'),
    lost('paused'),
    lost('draft'),
    0,
  ]);
}

type Counted = { readonly number: number; readonly status: Status };

type DeletedCode = {
  readonly number: number;
  readonly status: Status;
  readonly made_by: 'api' | 'dashboard';
};

export async function subtractDeleted(
  tx: Database,
  { accountId, mode }: Owner,
  codes: readonly DeletedCode[],
): Promise<void> {
  const byBucket = Map.groupBy(codes, ({ number }) => Math.floor(number / bucketSize));
  const buckets = [...byBucket.keys()];
  const counts = (status: Status) =>
    buckets.map(bucket => byBucket.get(bucket)!.filter(code => code.status === status).length);
  await tx.query(statements.subtractCounts, [
    accountId,
    mode,
    buckets,
    counts('active'),
    counts('paused'),
    counts('draft'),
    codes.filter(code => code.made_by === 'api').length,
  ]);
  await tx.query(statements.deleteEmptyBuckets, [accountId, mode, buckets]);
}

/** Without counts no code can be created in the account. */
export async function deleteCounts(tx: Database, { accountId, mode }: Owner): Promise<void> {
  await tx.query(statements.deleteCounts, [accountId, mode]);
}
