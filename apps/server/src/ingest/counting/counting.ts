import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { holdCountedFrom } from '../../scans/retention/retention.ts';
import type { Scan } from '../../scans/scan.ts';
import { toArrayLiteral } from '../arrays.ts';
import {
  type CheckedEntry,
  type Classifications,
  type CountedGroup,
  classes,
  type Group,
  ShardTaken,
} from '../ingest.ts';
import * as statements from '../statements.ts';
import type { CodeAtLimit, WorkerContext } from '../worker-context.ts';
import { classify } from './classify.ts';
import { packEntries } from './group-entries.ts';
import { numberVisitors, packNumbers } from './numbering.ts';
import { assertCounted } from './removed-months.ts';
import { toRows } from './rows.ts';

/**
 * Counts a group in one transaction: position, batches, visitors, counts, and the rows, if they are stored in PostgreSQL.
 * What is left to do after it is noted: the entries, classifications and visitor numbers from which rows and webhook
 * messages can be made again. It waits for nothing but PostgreSQL, so no lock is held for longer than that needs.
 * `countedLongAgo` holds batches that were counted before, but whose ids were pruned from PostgreSQL.
 * With a scan that may be of a removed month, it fails if that month was closed since the group was checked.
 */
export async function countGroup(
  { db, owner, counters, logger, markUsedUp, rows, publisher }: Omit<WorkerContext, 'log' | 'visitorTables'>,
  group: Group,
  countedLongAgo: ReadonlySet<Uuid>,
  hasOldScans: boolean,
): Promise<CountedGroup> {
  const { shard, log, afterPosition, toPosition } = group;
  const invalid = group.entries.filter(entry => entry.fault !== null);
  const valid = group.entries.filter(entry => entry.fault === null && entry.missing === 0);
  const mark = group.entries.at(-1)?.mark;
  const { classifications, numbers, repeated, deleted, isOpen } = await db.transaction(async tx => {
    // Before any other lock: what closes a month waits for this transaction, and holds nothing that it needs.
    if (hasOldScans) assertCounted(group, await holdCountedFrom(tx));
    const moved = await tx.query(statements.movePosition, [
      shard,
      owner,
      log,
      afterPosition,
      toPosition,
      mark?.batchId ?? null,
      mark?.appendedAtMs ?? null,
    ]);
    if (moved.length === 0) throw new ShardTaken(shard);
    for (const entry of invalid) await quarantineEntry(tx, group, entry, entry.fault!);
    const added = await addBatches(
      tx,
      valid.map(({ batch }) => batch.id),
    );
    const newBatches = added.difference(countedLongAgo);
    const existingCodes = await findExisting(
      tx,
      valid.filter(({ batch }) => newBatches.has(batch.id)).flatMap(({ batch }) => batch.scans),
    );
    const classified = classify(group, newBatches, existingCodes);
    const numbers = await numberVisitors(tx, classified.scans, classified.classifications);
    await markUnique(tx, classified.scans, classified.classifications);
    const counted = { classifications: classified.classifications, numbers };
    if (rows.stores === 'with_counts') await rows.insert(tx, toRows(group, counted));
    const isOpen =
      rows.stores === 'after_counts' || (await publisher.isAwaited(tx, group, counted.classifications));
    if (isOpen)
      await tx.query(statements.openGroup, [
        shard,
        log,
        afterPosition,
        toPosition,
        counted.classifications,
        packNumbers(numbers),
        packEntries(group.entries),
      ]);
    // Last, just before the commit: the workers of two shards that count one code wait for each other from here on.
    const atLimit = await addCounts(tx, classified.scans, classified.classifications, 1);
    if (atLimit.length > 0) await markUsedUp(tx, atLimit);
    return { ...classified, numbers, isOpen };
  });
  for (const { position, fault: reason } of invalid)
    logger.error({ shard, log, position, reason }, 'log entry quarantined');
  counters.quarantined(invalid.length);
  for (const { position, missing } of group.entries.filter(entry => entry.missing > 0)) {
    logger.error({ shard, log, position, entries: missing }, 'scan log was trimmed before it was counted');
    counters.trimmed(missing);
  }
  counters.repeated(repeated);
  counters.ofDeletedCodes(deleted);
  return { classifications, numbers, isOpen };
}

async function addBatches(tx: Database, ids: readonly Uuid[]): Promise<ReadonlySet<Uuid>> {
  const rows = await tx.query<{ batch_id: Uuid }>(statements.addBatches, [toArrayLiteral(ids)]);
  return new Set(rows.map(row => row.batch_id));
}

export async function findExisting(db: Database, scans: readonly Scan[]): Promise<ReadonlySet<Uuid>> {
  const ids = [...new Set(scans.map(scan => scan.qrCodeId))];
  const rows = await db.query<{ id: Uuid }>(statements.existingCodes, [toArrayLiteral(ids)]);
  return new Set(rows.map(row => row.id));
}

/** The first scan of a visitor in this group is unique, unless the visitor was known before. */
async function markUnique(
  tx: Database,
  scans: readonly Scan[],
  classifications: Classifications,
): Promise<void> {
  const firsts = new Map<string, number>();
  for (const [index, scan] of scans.entries()) {
    if (classifications[index] === classes.skipped) continue;
    const key = scan.qrCodeId + scan.window + scan.visitor;
    if (!firsts.has(key)) firsts.set(key, index);
  }
  const indexes = [...firsts.values()];
  const added = await tx.query<{ n: number }>(
    statements.addVisitors,
    visitorColumns(indexes.map(index => scans[index]!)),
  );
  for (const { n } of added) classifications[indexes[n - 1]!] = classes.unique;
}

const visitorColumns = (scans: readonly Scan[]) => [
  toArrayLiteral(scans.map(scan => scan.qrCodeId)),
  toArrayLiteral(scans.map(scan => scan.window)),
  toArrayLiteral(scans.map(scan => scan.visitor)),
];

/** Resolves to the codes that have reached their limit of scans. */
async function addCounts(
  tx: Database,
  scans: readonly Scan[],
  classifications: Classifications,
  sign: 1 | -1,
): Promise<readonly CodeAtLimit[]> {
  const counts = new Map<Uuid, { total: number; uniques: number }>();
  for (const [index, scan] of scans.entries()) {
    if (classifications[index] === classes.skipped) continue;
    const count = counts.get(scan.qrCodeId) ?? { total: 0, uniques: 0 };
    count.total += sign;
    if (classifications[index] === classes.unique) count.uniques += sign;
    counts.set(scan.qrCodeId, count);
  }
  const sums = [...counts.values()];
  return await tx.query<CodeAtLimit>(statements.addCounts, [
    toArrayLiteral([...counts.keys()]),
    toArrayLiteral(sums.map(sum => sum.total)),
    toArrayLiteral(sums.map(sum => sum.uniques)),
  ]);
}

/** Reverts the counts of an entry whose rows the store refuses. Idempotent. */
export async function revertEntry(
  db: Database,
  group: Group,
  entry: CheckedEntry,
  classifications: Classifications,
  reason: string,
): Promise<void> {
  await db.transaction(async tx => {
    if (!(await quarantineEntry(tx, group, entry, reason))) return;
    const { scans } = entry.batch;
    await tx.query(
      statements.removeVisitors,
      visitorColumns(scans.filter((_, index) => classifications[index] === classes.unique)),
    );
    await addCounts(tx, scans, classifications, -1);
  });
}

/** False if it was quarantined before. */
async function quarantineEntry(
  tx: Database,
  { shard, log }: Group,
  { position, bytes }: CheckedEntry,
  reason: string,
): Promise<boolean> {
  const entry = Buffer.from(bytes);
  return (await tx.query(statements.quarantine, [shard, log, position, reason, entry])).length > 0;
}
