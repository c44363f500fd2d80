import { setTimeout as pause } from 'node:timers/promises';
import { type BackgroundJobs, createBackgroundJobs } from '../platform/background-jobs.ts';
import type { ClickHouse } from '../platform/clickhouse/clickhouse.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { MonthStore } from '../scans/stores/month-storage.ts';
import type { RowStore } from '../scans/stores/row-storage.ts';
import { runErasure } from './erasure/erasure.ts';
import { rewriteHiddenRows } from './erasure/hidden-rows.ts';
import type { Eraser, ErasureMetrics } from './ingest.ts';
import { pruneIngest } from './prune.ts';
import { removeOldMonths } from './retention.ts';

const [minuteMs, hourMs] = [60_000, 3_600_000];
const takenPauseMs = 3_000;

/** Figures of fewer scans are read from the rows in tens of milliseconds. */
const minRolledUpScans = 50_000;

type Parts = {
  readonly db: Database;
  readonly rows: RowStore;
  /** If it stores the rows, erased ones are hidden first and removed later. */
  readonly clickhouse?: ClickHouse | null;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly otherStores?: Eraser;
  readonly metrics?: ErasureMetrics;
  readonly eraseEveryMs?: number;
  readonly months: MonthStore;
  readonly retentionMonths: number | null;
};

/** The work of ingest besides counting: erasure within a minute, roll-ups every minute; the removal of old months, pruning and rewriting of hidden rows within an hour. Any process may run it. */
export function createIngestJobs({
  db,
  rows,
  clickhouse,
  logger,
  otherStores,
  metrics,
  eraseEveryMs = 2_000,
  months,
  retentionMonths,
}: Parts): BackgroundJobs {
  async function erase(signal: AbortSignal): Promise<boolean> {
    const codes = await runErasure(db, rows, signal, otherStores);
    if (codes > 0) logger.info({ codes }, 'scans of deleted codes erased');
    return false;
  }

  async function rewrite(signal: AbortSignal): Promise<boolean> {
    if (!clickhouse) return false;
    const hidden = await rewriteHiddenRows(db, clickhouse, signal);
    metrics?.hidden(hidden);
    for (const { mutation, reason } of hidden.stopped)
      logger.warn({ mutation, reason }, 'rewrite of parts with hidden rows kept failing and was stopped');
    if (hidden.rewrittenMonth !== null)
      logger.info({ month: hidden.rewrittenMonth }, 'rewrite of parts with hidden rows requested');
    return false;
  }

  async function prune(signal: AbortSignal): Promise<boolean> {
    const { batches, quarantined, tables } = await pruneIngest(db, signal);
    if (batches + quarantined + tables.length > 0)
      logger.info({ batches, quarantined, tables }, 'old batch ids and visitor tables removed');
    return false;
  }

  async function retain(signal: AbortSignal): Promise<boolean> {
    const { removed, waiting, isTaken } = await removeOldMonths({ db, months, retentionMonths }, signal);
    if (removed.length > 0) logger.info({ months: removed }, 'scans of old months removed');
    if (waiting.length > 0)
      logger.info({ months: waiting }, 'scans of old months are in use, removal will go on');
    if (isTaken) await pause(takenPauseMs, undefined, { signal });
    return isTaken;
  }

  let nextRollUp = 0;
  async function rollUp(signal: AbortSignal): Promise<boolean> {
    const begin = performance.now();
    if (rows.stores !== 'with_counts' || begin < nextRollUp) return false;
    const scopes = await rows.rollUp(minRolledUpScans, signal);
    if (scopes > 0) logger.info({ scopes }, 'roll-ups of codes and accounts with many scans built');
    // Among a million codes, to find that none is due takes seconds: at most a hundredth of the time.
    else nextRollUp = performance.now() + 99 * (performance.now() - begin);
    return false;
  }

  return createBackgroundJobs(logger, [
    { name: 'erase', everyMs: eraseEveryMs, run: erase },
    { name: 'rewrite hidden rows', everyMs: hourMs, run: rewrite },
    { name: 'roll up', everyMs: minuteMs, run: rollUp },
    { name: 'prune', everyMs: hourMs, run: prune },
    { name: 'remove old months', everyMs: hourMs / 4, run: retain },
  ]);
}
