import { clickHouseError, isBadValueError } from '../platform/clickhouse-errors.ts';
import { findExisting, revertEntry } from './counting.ts';
import { type Counted, classes, type Group, groupOf, scansOf, sliceCounted } from './ingest.ts';
import { rowsOf, storeMissing, storeRows, tokenOf } from './rows.ts';
import * as statements from './statements.ts';
import type { WorkerContext } from './worker-context.ts';

/** Stores a group for the first time. */
export async function store(
  worker: WorkerContext,
  group: Group,
  counted: Counted,
  signal: AbortSignal,
): Promise<void> {
  const rows = rowsOf(group, counted);
  await allSettled(
    worker.publisher.publish(group, counted.classifications, signal),
    storeRows(worker.clickhouse, rows, tokenOf(group), { timeoutMs: worker.limits.insertMs, signal }),
  );
  await close(worker, group);
  worker.counters.stored(rows.length);
}

/** Stores a group that may be partly stored already. */
export async function redo(
  worker: WorkerContext,
  group: Group,
  counted: Counted,
  signal: AbortSignal,
): Promise<void> {
  const { db, clickhouse, counters, limits } = worker;
  const scans = scansOf(group);
  const { classifications } = counted;
  const existingCodes = await findExisting(
    db,
    scans.filter((_, index) => classifications[index] !== classes.skipped),
  );
  const withoutDeleted = classifications.map((classification, index) =>
    existingCodes.has(scans[index]!.qrCodeId) ? classification : classes.skipped,
  );
  const current: Counted = { ...counted, classifications: Buffer.from(withoutDeleted) };
  await worker.publisher.publish(group, current.classifications, signal);
  const rows = rowsOf(group, current);
  const callLimits = { timeoutMs: limits.insertMs, signal };
  try {
    await storeMissing(clickhouse, group, rows, callLimits);
  } catch (error) {
    if (!isBadValueError(error)) throw error;
    await storeOneByOne(worker, group, current, signal);
  }
  counters.stored(rows.length);
  await close(worker, group);
}

async function close({ db }: WorkerContext, { shard, log, toPosition }: Group): Promise<void> {
  await db.query(statements.closeGroup, [shard, log, toPosition]);
}

/** Waits for all, even if one has failed: nothing of a group is still in flight when it is retried. */
async function allSettled(...work: readonly Promise<void>[]): Promise<void> {
  for (const settled of await Promise.allSettled(work))
    if (settled.status === 'rejected') throw settled.reason;
}

/** ClickHouse refuses something in the group: stores each entry by itself, and quarantines those that it refuses. */
async function storeOneByOne(
  worker: WorkerContext,
  group: Group,
  counted: Counted,
  signal: AbortSignal,
): Promise<void> {
  const { db, clickhouse, shard, logger, counters, limits } = worker;
  let start = 0;
  let afterPosition = group.afterPosition;
  for (const entry of group.entries) {
    const single = groupOf(group, afterPosition, [entry]);
    const part = sliceCounted(counted, start, start + scansOf(single).length);
    try {
      await storeMissing(clickhouse, single, rowsOf(single, part), { timeoutMs: limits.insertMs, signal });
    } catch (error) {
      if (!isBadValueError(error)) throw error;
      const reason = clickHouseError(error)!.type;
      await revertEntry(db, group, entry, part.classifications, reason);
      logger.error({ shard, log: group.log, position: entry.position, reason }, 'log entry quarantined');
      counters.quarantined(1);
    }
    start += part.classifications.length;
    afterPosition = entry.position;
  }
}
