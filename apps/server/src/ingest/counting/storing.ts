import type { StoresAfterCounts } from '../../scans/stores/row-storage.ts';
import {
  type Counted,
  type CountedGroup,
  classes,
  type Group,
  listScans,
  sliceCounted,
  toGroup,
} from '../ingest.ts';
import * as statements from '../statements.ts';
import type { WorkerContext } from '../worker-context.ts';
import { findExisting, revertEntry } from './counting.ts';
import { toInsertToken, toRows } from './rows.ts';

/** Stores and publishes a group for the first time. */
export async function store(
  worker: WorkerContext,
  group: Group,
  counted: CountedGroup,
  signal: AbortSignal,
): Promise<void> {
  const { rows, publisher, limits, counters } = worker;
  if (counted.isOpen) {
    await allSettled(
      publisher.publish(group, counted.classifications, signal),
      rows.stores === 'after_counts'
        ? rows.insert(toRows(group, counted), toInsertToken(group), { timeoutMs: limits.insertMs, signal })
        : Promise.resolve(),
    );
    await close(worker, group);
  }
  counters.stored(countScans(counted));
}

/** The same for a group that may be partly stored or published already. */
export async function redo(
  worker: WorkerContext,
  group: Group,
  counted: Counted,
  signal: AbortSignal,
): Promise<void> {
  const { db, rows, publisher, counters } = worker;
  const scans = listScans(group);
  const { classifications } = counted;
  const existingCodes = await findExisting(
    db,
    scans.filter((_, index) => classifications[index] !== classes.skipped),
  );
  const withoutDeleted = classifications.map((classification, index) =>
    existingCodes.has(scans[index]!.qrCodeId) ? classification : classes.skipped,
  );
  const current: Counted = { ...counted, classifications: Buffer.from(withoutDeleted) };
  await publisher.publish(group, current.classifications, signal);
  if (rows.stores === 'after_counts') await insertMissing(worker, rows, group, current, signal);
  counters.stored(countScans(current));
  await close(worker, group);
}

const countScans = ({ classifications }: Counted) =>
  classifications.reduce((sum, classification) => sum + Number(classification !== classes.skipped), 0);

async function close({ db }: WorkerContext, { shard, log, toPosition }: Group): Promise<void> {
  await db.query(statements.closeGroup, [shard, log, toPosition]);
}

/** Waits for all, even if one has failed: nothing of a group is still in flight when it is retried. */
async function allSettled(...work: readonly Promise<void>[]): Promise<void> {
  for (const settled of await Promise.allSettled(work))
    if (settled.status === 'rejected') throw settled.reason;
}

async function insertMissing(
  worker: WorkerContext,
  store: StoresAfterCounts,
  group: Group,
  counted: Counted,
  signal: AbortSignal,
): Promise<void> {
  const limits = { timeoutMs: worker.limits.insertMs, signal };
  try {
    await store.insertMissing(group, toRows(group, counted), toInsertToken(group), limits);
  } catch (error) {
    if (store.toRefusal(error) === null) throw error;
    await insertOneByOne(worker, store, group, counted, signal);
  }
}

/** The store refuses something in the group: each entry is stored by itself, and those that it refuses are quarantined. */
async function insertOneByOne(
  { db, shard, logger, counters, limits: { insertMs } }: WorkerContext,
  store: StoresAfterCounts,
  group: Group,
  counted: Counted,
  signal: AbortSignal,
): Promise<void> {
  const limits = { timeoutMs: insertMs, signal };
  let start = 0;
  let afterPosition = group.afterPosition;
  for (const entry of group.entries) {
    const single = toGroup(group, afterPosition, [entry]);
    const part = sliceCounted(counted, start, start + listScans(single).length);
    try {
      await store.insertMissing(single, toRows(single, part), toInsertToken(single), limits);
    } catch (error) {
      const reason = store.toRefusal(error);
      if (reason === null) throw error;
      await revertEntry(db, group, entry, part.classifications, reason);
      logger.error({ shard, log: group.log, position: entry.position, reason }, 'log entry quarantined');
      counters.quarantined(1);
    }
    start += part.classifications.length;
    afterPosition = entry.position;
  }
}
