import { blamesValues, refusalOf } from '../platform/clickhouse.ts';
import { findLiving, takeBack } from './counting.ts';
import { type Counted, cutOut, type Group, groupOf, scansOf, verdicts } from './ingest.ts';
import { rowsOf, storeMissing, storeRows, tokenOf } from './rows.ts';
import * as statements from './statements.ts';
import type { Worker } from './work.ts';

/** Stores a group that nobody has stored before. */
export async function store(
  worker: Worker,
  group: Group,
  counted: Counted,
  signal: AbortSignal,
): Promise<void> {
  const rows = rowsOf(group, counted);
  await both(
    worker.announcer.announce(group, counted.verdicts, signal),
    storeRows(worker.clickhouse, rows, tokenOf(group), { timeoutMs: worker.limits.insertMs, signal }),
  );
  await close(worker, group);
  worker.counters.stored(rows.length);
}

/** Stores a group of which nobody knows how much is stored already. */
export async function redo(
  worker: Worker,
  group: Group,
  counted: Counted,
  signal: AbortSignal,
): Promise<void> {
  const { db, clickhouse, shard, counters, logger, limits } = worker;
  const scans = scansOf(group);
  const result = counted.verdicts;
  if (scans.length === result.length) {
    const living = await findLiving(
      db,
      scans.filter((_, index) => result[index] !== verdicts.leftOut),
    );
    const stillKept = result.map((one, index) => (living.has(scans[index]!.qrCodeId) ? one : 0));
    const kept = { ...counted, verdicts: Buffer.from(stillKept) };
    await worker.announcer.announce(group, kept.verdicts, signal);
    const rows = rowsOf(group, kept);
    const call = { timeoutMs: limits.insertMs, signal };
    try {
      await storeMissing(clickhouse, group, rows, call);
    } catch (error) {
      if (!blamesValues(error)) throw error;
      await storeOneByOne(worker, group, kept, signal);
    }
    counters.stored(rows.length);
  } else {
    // Only where an older version counted them, and the log has dropped them since: the counts have them, analytics do not.
    logger.error(
      { shard, position: group.toPosition, scans: result.length },
      'scans are no longer in the log',
    );
    counters.setAside(1);
  }
  await close(worker, group);
}

async function close({ db }: Worker, { shard, log, toPosition }: Group): Promise<void> {
  await db.query(statements.closeGroup, [shard, log, toPosition]);
}

/** Waits for both, also where one has failed: nothing of a group is still under way when it is done again. */
async function both(...under: readonly Promise<void>[]): Promise<void> {
  for (const settled of await Promise.allSettled(under))
    if (settled.status === 'rejected') throw settled.reason;
}

/** ClickHouse refuses something in the group: each entry by itself, and those that it refuses are set aside. */
async function storeOneByOne(
  worker: Worker,
  group: Group,
  counted: Counted,
  signal: AbortSignal,
): Promise<void> {
  const { db, clickhouse, shard, logger, counters, limits } = worker;
  let at = 0;
  let afterPosition = group.afterPosition;
  for (const entry of group.entries) {
    const alone = groupOf(group, afterPosition, [entry]);
    const own = cutOut(counted, at, at + scansOf(alone).length);
    try {
      await storeMissing(clickhouse, alone, rowsOf(alone, own), { timeoutMs: limits.insertMs, signal });
    } catch (error) {
      if (!blamesValues(error)) throw error;
      const reason = refusalOf(error)!.type;
      await takeBack(db, group, entry, own.verdicts, reason);
      logger.error({ shard, log: group.log, position: entry.position, reason }, 'log entry set aside');
      counters.setAside(1);
    }
    at += own.verdicts.length;
    afterPosition = entry.position;
  }
}
