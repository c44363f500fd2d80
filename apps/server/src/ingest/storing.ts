import type { Uuid } from '../kernel/ids.ts';
import { blamesValues, type ClickHouse, refusalOf } from '../platform/clickhouse.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres.ts';
import type { Tracer } from '../platform/tracing.ts';
import { findLiving, takeBack } from './counting.ts';
import {
  type Announcer,
  type Counted,
  cutOut,
  type Group,
  groupOf,
  type IngestCounters,
  type ScanLogReader,
  scansOf,
  verdicts,
} from './ingest.ts';
import { rowsOf, storeMissing, storeRows, tokenOf } from './rows.ts';
import * as statements from './statements.ts';
import type { Windows } from './windows.ts';

/** What the work on a shard needs. */
export type Worker = {
  readonly db: Database;
  readonly clickhouse: ClickHouse;
  readonly log: ScanLogReader;
  readonly announcer: Announcer;
  readonly shard: number;
  readonly owner: Uuid;
  readonly windows: Windows;
  readonly counters: IngestCounters;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly limits: WorkerLimits;
  readonly tracer?: Tracer | undefined;
};

export type WorkerLimits = {
  /** A group has at most so many scans, and waits so long for them. */
  readonly groupScans: number;
  readonly groupMs: number;
  /** An owner that was silent for so long has lost its shard. */
  readonly ownedMs: number;
  readonly insertMs: number;
};

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
  await worker.db.query(statements.closeGroup, [group.shard, group.toPosition]);
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
    // Only where the log has dropped entries before they were stored. The counts have them, analytics do not.
    logger.error(
      { shard, position: group.toPosition, scans: result.length },
      'scans are no longer in the log',
    );
    counters.setAside(1);
  }
  await db.query(statements.closeGroup, [shard, group.toPosition]);
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
    const alone = groupOf(shard, afterPosition, [entry]);
    const own = cutOut(counted, at, at + scansOf(alone).length);
    try {
      await storeMissing(clickhouse, alone, rowsOf(alone, own), { timeoutMs: limits.insertMs, signal });
    } catch (error) {
      if (!blamesValues(error)) throw error;
      const reason = refusalOf(error)!.type;
      await takeBack(db, shard, entry, own.verdicts, reason);
      logger.error({ shard, position: entry.position, reason }, 'log entry set aside');
      counters.setAside(1);
    }
    at += own.verdicts.length;
    afterPosition = entry.position;
  }
}
