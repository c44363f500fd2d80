import { type ScanCount, setScanCounts } from '../ingest/after-restore.ts';
import { type Uuid, zeroId } from '../kernel/ids.ts';
import type { ClickHouse } from '../platform/clickhouse/clickhouse.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';

const codesPerStatement = 10_000;
const timeoutMs = 3_600_000;

/**
 * Sets the counts to match the rows and the sums of removed months, and returns for how many codes they differed. They differ if a code was deleted and its
 * rows erased between the dump and the copy of the rows, or if the log was lost before counted scans were stored.
 */
export async function reconcile(db: Database, clickhouse: ClickHouse): Promise<number> {
  const rows = await clickhouse.query<ScanCount>(
    'select qr_code_id as id, count() as total, countIf(is_unique) as uniques from scans group by id',
    {},
    { timeoutMs },
  );
  const stored = addUp([...rows, ...(await db.query<ScanCount>(removedCounts))]);
  const counted = await db.query<ScanCount>(allCounts);
  const wrong = counted.filter(count => {
    const row = stored.get(count.id);
    return count.total !== (row?.total ?? 0) || count.uniques !== (row?.uniques ?? 0);
  });
  const known = new Set(counted.map(count => count.id));
  const corrections = [
    ...wrong.map(({ id }) => stored.get(id) ?? { id, total: 0, uniques: 0 }),
    ...[...stored.values()].filter(({ id }) => !known.has(id)),
  ];
  let changed = 0;
  for (let from = 0; from < corrections.length; from += codesPerStatement) {
    const part = corrections.slice(from, from + codesPerStatement);
    changed += await setScanCounts(db, part);
  }
  return changed;
}

function addUp(counts: readonly ScanCount[]): Map<Uuid, ScanCount> {
  const sums = new Map<Uuid, ScanCount>();
  for (const { id, total, uniques } of counts) {
    const before = sums.get(id);
    sums.set(id, { id, total: total + (before?.total ?? 0), uniques: uniques + (before?.uniques ?? 0) });
  }
  return sums;
}

/** A code's visitors of a month are the firsts of its windows, which end with the month at the latest. */
const removedCounts = sql(
  'backup-removed-counts',
  `select qr_code_id as id, sum(scans)::bigint as total, sum(visitors)::bigint as uniques from scan_sums
    where kind = 'total' and qr_code_id <> '${zeroId}' and month < (select retained_from from scan_retention)
    group by qr_code_id`,
);

const allCounts = sql(
  'backup-counts',
  'select qr_code_id as id, total_scans as total, unique_scans as uniques from scan_counts',
);
