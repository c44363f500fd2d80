import type { Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres.ts';
import type { Scan } from '../scans/scan.ts';
import { arrayOf } from './arrays.ts';
import { packEntries } from './group-entries.ts';
import {
  type CheckedEntry,
  type Counted,
  type Group,
  ShardTaken,
  type Verdicts,
  verdicts,
} from './ingest.ts';
import { judge } from './judging.ts';
import { numberVisitors, packNumbers } from './numbering.ts';
import * as statements from './statements.ts';
import type { Worker } from './work.ts';

/**
 * Counts a group in one transaction: position, batches, visitors, counts, and the entries, verdicts and numbers by which
 * its rows can be made again. Nothing of ClickHouse happens in it, so that no lock is held for longer than PostgreSQL
 * needs. `countedLongAgo` names batches that are known from elsewhere, since their ids are no longer kept here.
 */
export async function countGroup(
  { db, owner, counters, logger }: Pick<Worker, 'db' | 'owner' | 'counters' | 'logger'>,
  group: Group,
  countedLongAgo: ReadonlySet<Uuid>,
): Promise<Counted> {
  const { shard, log, afterPosition, toPosition } = group;
  const faulty = group.entries.filter(entry => entry.fault !== null);
  const good = group.entries.filter(entry => entry.fault === null && entry.missing === 0);
  const mark = group.entries.at(-1)?.mark;
  const { result, numbers, repeated, dead } = await db.transaction(async tx => {
    const moved = await tx.query(statements.movePosition, [
      shard,
      owner,
      log,
      afterPosition,
      toPosition,
      mark?.batchId ?? null,
      mark?.takenAtMs ?? null,
    ]);
    if (moved.length === 0) throw new ShardTaken(shard);
    for (const entry of faulty) await keepAside(tx, group, entry, entry.fault!);
    const added = await addBatches(
      tx,
      good.map(({ batch }) => batch.id),
    );
    const fresh = added.difference(countedLongAgo);
    const living = await findLiving(
      tx,
      good.filter(({ batch }) => fresh.has(batch.id)).flatMap(({ batch }) => batch.scans),
    );
    const judged = judge(group, fresh, living);
    const numbers = await numberVisitors(tx, judged.scans, judged.result);
    await markFirsts(tx, judged.scans, judged.result);
    await addCounts(tx, judged.scans, judged.result, 1);
    await tx.query(statements.openGroup, [
      shard,
      log,
      afterPosition,
      toPosition,
      judged.result,
      packNumbers(numbers),
      packEntries(group.entries),
    ]);
    return { ...judged, numbers };
  });
  for (const { position, fault: reason } of faulty)
    logger.error({ shard, log, position, reason }, 'log entry set aside');
  counters.setAside(faulty.length);
  for (const { position, missing } of group.entries.filter(entry => entry.missing > 0)) {
    logger.error({ shard, log, position, entries: missing }, 'scan log was trimmed before it was counted');
    counters.trimmed(missing);
  }
  counters.repeated(repeated);
  counters.ofDeletedCodes(dead);
  return { verdicts: result, numbers };
}

async function addBatches(tx: Database, ids: readonly Uuid[]): Promise<ReadonlySet<Uuid>> {
  const rows = await tx.query<{ batch_id: Uuid }>(statements.addBatches, [arrayOf(ids)]);
  return new Set(rows.map(row => row.batch_id));
}

export async function findLiving(db: Database, scans: readonly Scan[]): Promise<ReadonlySet<Uuid>> {
  const ids = [...new Set(scans.map(scan => scan.qrCodeId))];
  const rows = await db.query<{ id: Uuid }>(statements.livingCodes, [arrayOf(ids)]);
  return new Set(rows.map(row => row.id));
}

/** Of the scans of one visitor in this group the first is unique, unless the visitor was known before. */
async function markFirsts(tx: Database, scans: readonly Scan[], result: Verdicts): Promise<void> {
  const firsts = new Map<string, number>();
  for (const [index, scan] of scans.entries()) {
    if (result[index] === verdicts.leftOut) continue;
    const key = scan.qrCodeId + scan.window + scan.visitor;
    if (!firsts.has(key)) firsts.set(key, index);
  }
  const indexes = [...firsts.values()];
  const added = await tx.query<{ n: number }>(
    statements.addVisitors,
    visitorColumns(indexes.map(index => scans[index]!)),
  );
  for (const { n } of added) result[indexes[n - 1]!] = verdicts.unique;
}

const visitorColumns = (scans: readonly Scan[]) => [
  arrayOf(scans.map(scan => scan.qrCodeId)),
  arrayOf(scans.map(scan => scan.window)),
  arrayOf(scans.map(scan => scan.visitor)),
];

async function addCounts(
  tx: Database,
  scans: readonly Scan[],
  result: Verdicts,
  sign: 1 | -1,
): Promise<void> {
  const counts = new Map<Uuid, { total: number; uniques: number }>();
  for (const [index, scan] of scans.entries()) {
    if (result[index] === verdicts.leftOut) continue;
    const count = counts.get(scan.qrCodeId) ?? { total: 0, uniques: 0 };
    count.total += sign;
    if (result[index] === verdicts.unique) count.uniques += sign;
    counts.set(scan.qrCodeId, count);
  }
  const sums = [...counts.values()];
  await tx.query(statements.addCounts, [
    arrayOf([...counts.keys()]),
    arrayOf(sums.map(sum => sum.total)),
    arrayOf(sums.map(sum => sum.uniques)),
  ]);
}

/** Takes back what was counted of an entry that ClickHouse will not have; a second time it finds that done. */
export async function takeBack(
  db: Database,
  group: Group,
  entry: CheckedEntry,
  result: Verdicts,
  reason: string,
): Promise<void> {
  await db.transaction(async tx => {
    if (!(await keepAside(tx, group, entry, reason))) return;
    const { scans } = entry.batch;
    await tx.query(
      statements.removeVisitors,
      visitorColumns(scans.filter((_, place) => result[place] === verdicts.unique)),
    );
    await addCounts(tx, scans, result, -1);
  });
}

/** False where it has been set aside before. */
async function keepAside(
  tx: Database,
  { shard, log }: Group,
  { position, bytes }: CheckedEntry,
  reason: string,
): Promise<boolean> {
  const entry = Buffer.from(bytes);
  return (await tx.query(statements.setAside, [shard, log, position, reason, entry])).length > 0;
}
