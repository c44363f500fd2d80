import { type BackgroundJobs, createBackgroundJobs } from '../platform/background-jobs.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres.ts';
import { runErasure } from './erasure/erasure.ts';
import { rewriteHiddenRows } from './erasure/hidden-rows.ts';
import type { Eraser, ErasureMetrics } from './ingest.ts';
import { pruneIngest } from './prune.ts';

type Parts = {
  readonly db: Database;
  readonly clickhouse: ClickHouse;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly otherStores?: Eraser;
  readonly metrics?: ErasureMetrics;
  readonly eraseEveryMs?: number;
  readonly rewriteEveryMs?: number;
  readonly pruneEveryMs?: number;
};

/** The work of ingest besides counting: erasure within a minute; pruning and rewriting of hidden rows every hour. Any process may run it. */
export function createIngestJobs({
  db,
  clickhouse,
  logger,
  otherStores,
  metrics,
  eraseEveryMs = 2_000,
  rewriteEveryMs = 3_600_000,
  pruneEveryMs = 3_600_000,
}: Parts): BackgroundJobs {
  async function erase(signal: AbortSignal): Promise<boolean> {
    const codes = await runErasure(db, clickhouse, signal, otherStores);
    if (codes > 0) logger.info({ codes }, 'scans of deleted codes erased');
    return false;
  }

  async function rewrite(signal: AbortSignal): Promise<boolean> {
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

  return createBackgroundJobs(logger, [
    { name: 'erase', everyMs: eraseEveryMs, run: erase },
    { name: 'rewrite hidden rows', everyMs: rewriteEveryMs, run: rewrite },
    { name: 'prune', everyMs: pruneEveryMs, run: prune },
  ]);
}
