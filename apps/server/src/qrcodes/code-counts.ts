import type { Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres.ts';
import * as statements from './count-statements.ts';
import type { Owner, Status } from './qr-code.ts';
import type { CodeUsage } from './quota.ts';

/** How many numbers share a row of `count_buckets`. The statements that insert and pause codes agree on it. */
const bucketSize = 1000;

/** How many codes an account has, in `code_counts` and for every 1,000 numbers in `count_buckets`. */
export type CodeCounts = { active: number; paused: number; draft: number; made_by_api: number };

/** Adds the counts of a new account, in both modes. They are also the lock that orders the account's creations. */
export async function addCodeCounts(tx: Database, accountId: Uuid): Promise<void> {
  await tx.query(statements.insertCounts, [accountId]);
}

/** The lock that orders everything that creates, pauses, resumes or deletes codes of an account. */
export async function lockCounts(tx: Database, { accountId, mode }: Owner): Promise<void> {
  await tx.query(statements.lockCounts, [accountId, mode]);
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

type ListStart = { readonly below: number; readonly skip: number };

/** The number below which a page starts and how many codes to skip from there; null where the list is shorter. */
export async function findListStart(
  db: Database,
  { accountId, mode }: Owner,
  offset: number,
  status: Status | null,
): Promise<ListStart | null> {
  if (offset < bucketSize) return { below: Number.MAX_SAFE_INTEGER, skip: offset };
  const [row] = await db.query<{ bucket: number; before: number }>(statements.findBucket, [
    accountId,
    mode,
    status,
    offset,
  ]);
  return row ? { below: (row.bucket + 1) * bucketSize, skip: offset - row.before } : null;
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
