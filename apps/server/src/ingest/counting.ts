import type { Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres.ts';
import type { Scan } from '../scans/scan.ts';
import { whyNot } from './check.ts';
import {
  type Group,
  type IngestCounters,
  type LogEntry,
  ShardTaken,
  scansOf,
  type Verdicts,
  verdicts,
} from './ingest.ts';
import * as statements from './statements.ts';

/**
 * Counts a group in one transaction: position, batches, visitors, counts, and the verdicts by which its rows can be made
 * again. Nothing of ClickHouse happens in it, so that no lock is held for longer than PostgreSQL needs.
 */
export async function countGroup(
  db: Database,
  owner: Uuid,
  group: Group,
  counters: IngestCounters,
): Promise<Verdicts> {
  const faults = group.entries.map(({ batch }) => whyNot(batch));
  const good = group.entries.filter((_, index) => faults[index] === null);
  const { result, repeated, dead } = await db.transaction(async tx => {
    await tx.query(statements.limitIdle);
    const { shard, afterPosition, toPosition } = group;
    const moved = await tx.query(statements.movePosition, [shard, owner, afterPosition, toPosition]);
    if (moved.length === 0) throw new ShardTaken(shard);
    for (const [index, reason] of faults.entries()) {
      if (reason !== null) await keepAside(tx, shard, group.entries[index]!, reason);
    }
    const fresh = await addBatches(
      tx,
      good.map(({ batch }) => batch.id),
    );
    const living = await findLiving(
      tx,
      good.filter(({ batch }) => fresh.has(batch.id)).flatMap(({ batch }) => batch.scans),
    );
    const judged = judge(group, faults, fresh, living);
    await markFirsts(tx, judged.scans, judged.result);
    await addCounts(tx, judged.scans, judged.result, 1);
    await tx.query(statements.openGroup, [shard, afterPosition, toPosition, judged.result]);
    return judged;
  });
  counters.setAside(group.entries.length - good.length);
  counters.repeated(repeated);
  counters.ofDeletedCodes(dead);
  return result;
}

type Judged = {
  readonly result: Verdicts;
  /** All scans of the group in the order of the log; the index is that of the verdict. */
  readonly scans: readonly Scan[];
  readonly repeated: number;
  readonly dead: number;
};

function judge(
  group: Group,
  faults: readonly (string | null)[],
  fresh: ReadonlySet<Uuid>,
  living: ReadonlySet<Uuid>,
): Judged {
  const scans = scansOf(group);
  const result = Buffer.alloc(scans.length, verdicts.leftOut);
  const seen = new Set<Uuid>();
  let [at, repeated, dead] = [0, 0, 0];
  for (const [index, { batch }] of group.entries.entries()) {
    const count = batch?.scans?.length ?? 0;
    const isNew = faults[index] === null && fresh.has(batch.id) && !seen.has(batch.id);
    if (isNew) {
      seen.add(batch.id);
      for (let place = 0; place < count; place++) {
        if (living.has(batch.scans[place]!.qrCodeId)) result[at + place] = verdicts.kept;
        else dead++;
      }
    } else if (faults[index] === null) {
      repeated += count;
    }
    at += count;
  }
  return { result, scans, repeated, dead };
}

async function addBatches(tx: Database, ids: readonly Uuid[]): Promise<ReadonlySet<Uuid>> {
  const rows = await tx.query<{ batch_id: Uuid }>(statements.addBatches, [ids]);
  return new Set(rows.map(row => row.batch_id));
}

export async function findLiving(db: Database, scans: readonly Scan[]): Promise<ReadonlySet<Uuid>> {
  const ids = [...new Set(scans.map(scan => scan.qrCodeId))];
  const rows = await db.query<{ id: Uuid }>(statements.livingCodes, [ids]);
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
  scans.map(scan => scan.qrCodeId),
  scans.map(scan => scan.window),
  scans.map(scan => scan.visitor),
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
    [...counts.keys()],
    sums.map(sum => sum.total),
    sums.map(sum => sum.uniques),
  ]);
}

/** Takes back what was counted of an entry that ClickHouse will not have; a second time it finds that done. */
export async function takeBack(
  db: Database,
  shard: number,
  entry: LogEntry,
  result: Verdicts,
  reason: string,
): Promise<void> {
  await db.transaction(async tx => {
    if (!(await keepAside(tx, shard, entry, reason))) return;
    const { scans } = entry.batch;
    await tx.query(
      statements.removeVisitors,
      visitorColumns(scans.filter((_, place) => result[place] === verdicts.unique)),
    );
    await addCounts(tx, scans, result, -1);
  });
}

/** False where it has been set aside before. */
async function keepAside(tx: Database, shard: number, entry: LogEntry, reason: string): Promise<boolean> {
  const text = JSON.stringify(entry.batch) ?? 'undefined';
  return (await tx.query(statements.setAside, [shard, entry.position, reason, text])).length > 0;
}
