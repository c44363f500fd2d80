import type { Database } from '../platform/postgres/postgres.ts';
import * as statements from './count-statements.ts';
import type { CodeUsage } from './creation/quota.ts';
import type { WholeList } from './listing/filter.ts';
import type { Owner, QrCode } from './qr-code.ts';

/** How many numbers share a row of `count_buckets`. The statements that insert and pause codes agree on it. */
const bucketSize = 1000;

/**
 * How many codes an account has, in `code_counts` and for every 1,000 numbers in `count_buckets`. An archived code is counted as
 * that, whatever its status.
 */
type CodeCounts = { active: number; paused: number; draft: number; archived: number; made_by_api: number };

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

async function findCounts(db: Database, { accountId, mode }: Owner): Promise<CodeCounts> {
  const [row] = await db.query<CodeCounts>(statements.findCounts, [accountId, mode]);
  return row ?? { active: 0, paused: 0, draft: 0, archived: 0, made_by_api: 0 };
}

/** How many codes there are, as quotas count them. */
export async function countUsage(db: Database, owner: Owner): Promise<CodeUsage> {
  const { active, paused, draft, archived, made_by_api: byApi } = await findCounts(db, owner);
  const all = active + paused + draft + archived;
  return { all, byApi, bySessions: all - byApi };
}

/** How many codes a whole list has. */
export async function countList(db: Database, owner: Owner, list: WholeList): Promise<number> {
  const counts = await findCounts(db, owner);
  return list === 'listed' ? counts.active + counts.paused + counts.draft : counts[list];
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
  list: WholeList,
  direction: 'asc' | 'desc',
): Promise<ListStart | null> {
  const isNewestFirst = direction === 'desc';
  if (offset < bucketSize) return { bound: isNewestFirst ? Number.MAX_SAFE_INTEGER : 0, skip: offset };
  const statement = isNewestFirst ? statements.findBucketFromNewest : statements.findBucketFromOldest;
  const [row] = await db.query<{ bucket: number; before: number }>(statement, [
    accountId,
    mode,
    list,
    offset,
  ]);
  if (!row) return null;
  const bound = (isNewestFirst ? row.bucket + 1 : row.bucket) * bucketSize;
  return { bound, skip: offset - row.before };
}

type Counted = Pick<QrCode, 'number' | 'status' | 'archived'>;

/** Counts codes as what they have become. */
export async function countChanges(
  tx: Database,
  owner: Owner,
  pairs: readonly (readonly [before: Counted, after: Counted])[],
): Promise<void> {
  const changed = pairs.filter(([before, after]) => getKind(before) !== getKind(after));
  if (changed.length === 0) return;
  const entries = changed.flatMap(([before, after]) => [
    { code: before, n: -1 },
    { code: after, n: 1 },
  ]);
  await adjust(tx, owner, entries, 0);
}

export async function subtractDeleted(
  tx: Database,
  owner: Owner,
  codes: readonly (Counted & { readonly made_by: 'api' | 'dashboard' })[],
): Promise<void> {
  const byApi = codes.filter(code => code.made_by === 'api').length;
  const buckets = await adjust(
    tx,
    owner,
    codes.map(code => ({ code, n: -1 })),
    -byApi,
  );
  await tx.query(statements.deleteEmptyBuckets, [owner.accountId, owner.mode, buckets]);
}

type Entry = { readonly code: Counted; readonly n: number };

/** Adds `n` for each code to what it is counted as. Returns the buckets. */
async function adjust(
  tx: Database,
  { accountId, mode }: Owner,
  entries: readonly Entry[],
  byApi: number,
): Promise<readonly number[]> {
  const byBucket = Map.groupBy(entries, ({ code }) => Math.floor(code.number / bucketSize));
  const buckets = [...byBucket.keys()];
  const sums = (['active', 'paused', 'draft', 'archived'] as const).map(kind =>
    buckets.map(bucket =>
      byBucket
        .get(bucket)!
        .filter(({ code }) => getKind(code) === kind)
        .reduce((sum, { n }) => sum + n, 0),
    ),
  );
  await tx.query(statements.adjustCounts, [accountId, mode, buckets, ...sums, byApi]);
  return buckets;
}

/** What a code is counted as. */
const getKind = ({ status, archived }: Counted) => (archived ? 'archived' : status);

/** Without counts no code can be created in the account. */
export async function deleteCounts(tx: Database, { accountId, mode }: Owner): Promise<void> {
  await tx.query(statements.deleteCounts, [accountId, mode]);
}
