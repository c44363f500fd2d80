import type { Uuid } from '../kernel/ids.ts';
import { blamesValues, type ClickHouse, refusalOf } from '../platform/clickhouse.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres.ts';
import { countGroup, findLiving, takeBack } from './counting.ts';
import {
  type Group,
  type IngestCounters,
  type LogEntry,
  type ScanLogReader,
  ShardTaken,
  scansOf,
  type Verdicts,
  verdicts,
} from './ingest.ts';
import { createLogBuffer } from './log-buffer.ts';
import { lastStored, rowsOf, storeMissing, storeRows, tokenOf } from './rows.ts';
import * as statements from './statements.ts';
import type { Windows } from './windows.ts';

export type Worker = {
  readonly db: Database;
  readonly clickhouse: ClickHouse;
  readonly log: ScanLogReader;
  readonly shard: number;
  readonly owner: Uuid;
  readonly windows: Windows;
  readonly counters: IngestCounters;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly limits: WorkerLimits;
};

export type WorkerLimits = {
  /** A group has at most so many scans, and waits so long for them. */
  readonly groupScans: number;
  readonly groupMs: number;
  /** An owner that was silent for so long has lost its shard. */
  readonly ownedMs: number;
  readonly insertMs: number;
};

type OpenGroup = { after_position: number; to_position: number; verdicts: Verdicts };

/**
 * Takes the shard, does again what was left open, and then works through the log until something fails or the signal
 * comes. Whoever calls it calls it again: every failure is recovered from in this one way.
 */
export async function workShard(worker: Worker, onProgress: () => void, signal: AbortSignal): Promise<never> {
  const { db, shard, owner, limits } = worker;
  const [held] = await db.query<{ position: number }>(statements.takeShard, [shard, owner, limits.ownedMs]);
  if (!held) throw new ShardTaken(shard);
  const open = await db.query<OpenGroup>(statements.openGroups, [shard]);
  let position = held.position;
  const ending = new AbortController();
  const either = AbortSignal.any([signal, ending.signal]);
  const from = open[0]?.after_position ?? position;
  const buffer = createLogBuffer(worker.log, shard, from, 2 * limits.groupScans, either);
  try {
    for (const { after_position, to_position, verdicts: result } of open) {
      const entries = await buffer.upTo(to_position);
      const group = { shard, afterPosition: after_position, toPosition: to_position, entries };
      await redo(worker, group, result, either);
      onProgress();
    }
    // Rows beyond the position are there only where PostgreSQL was put back to an older state than ClickHouse's.
    const storedTo = await lastStored(worker.clickhouse, shard, position, either);
    // One group is stored while the next is counted; never more, so that a crash leaves two open at most.
    let storing: Promise<void> = Promise.resolve();
    for (;;) {
      const entries = await Promise.race([
        buffer.next(limits.groupScans, limits.groupMs),
        // Should the store fail while the log is silent, nobody would hear of it.
        storing.then(() => new Promise<never>(() => undefined)),
      ]);
      const group = groupOf(shard, position, entries);
      await worker.windows.prepare(group);
      const result = await countGroup(db, owner, group, worker.counters);
      position = group.toPosition;
      await storing;
      storing =
        group.afterPosition < storedTo
          ? redo(worker, group, result, either)
          : store(worker, group, result, either);
      storing.then(onProgress, () => undefined);
    }
  } finally {
    ending.abort();
  }
}

const groupOf = (shard: number, afterPosition: number, entries: readonly LogEntry[]): Group => ({
  shard,
  afterPosition,
  toPosition: entries.at(-1)?.position ?? afterPosition,
  entries,
});

async function store(worker: Worker, group: Group, result: Verdicts, signal: AbortSignal): Promise<void> {
  const rows = rowsOf(group, result);
  await storeRows(worker.clickhouse, rows, tokenOf(group), { timeoutMs: worker.limits.insertMs, signal });
  await worker.db.query(statements.closeGroup, [group.shard, group.toPosition]);
  worker.counters.stored(rows.length);
}

/** Stores a group of which nobody knows how much is stored already. */
async function redo(worker: Worker, group: Group, result: Verdicts, signal: AbortSignal): Promise<void> {
  const { db, clickhouse, shard, counters, logger, limits } = worker;
  const scans = scansOf(group);
  if (scans.length === result.length) {
    const living = await findLiving(
      db,
      scans.filter((_, index) => result[index] !== verdicts.leftOut),
    );
    const kept = Buffer.from(result.map((one, index) => (living.has(scans[index]!.qrCodeId) ? one : 0)));
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
    // Only where the log has dropped entries before they were stored. The counts have them, analytics do not.
    logger.error(
      { shard, position: group.toPosition, scans: result.length },
      'scans are no longer in the log',
    );
    counters.setAside(1);
  }
  await db.query(statements.closeGroup, [shard, group.toPosition]);
}

/** ClickHouse refuses something in the group: each entry by itself, and those that it refuses are set aside. */
async function storeOneByOne(
  worker: Worker,
  group: Group,
  result: Verdicts,
  signal: AbortSignal,
): Promise<void> {
  const { db, clickhouse, shard, logger, counters, limits } = worker;
  let at = 0;
  let afterPosition = group.afterPosition;
  for (const entry of group.entries) {
    const alone = groupOf(shard, afterPosition, [entry]);
    const own = result.subarray(at, at + scansOf(alone).length);
    try {
      await storeMissing(clickhouse, alone, rowsOf(alone, own), { timeoutMs: limits.insertMs, signal });
    } catch (error) {
      if (!blamesValues(error)) throw error;
      const reason = refusalOf(error)!.type;
      await takeBack(db, shard, entry, own, reason);
      logger.error({ shard, position: entry.position, reason }, 'log entry set aside');
      counters.setAside(1);
    }
    at += own.length;
    afterPosition = entry.position;
  }
}
