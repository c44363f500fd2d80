import { type Chores, createChores } from '../platform/chores.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres.ts';
import { eraseInTurn } from './erasure.ts';
import { tendHiddenRows } from './hidden-rows.ts';
import { tidyIngest } from './housekeeping.ts';
import type { Eraser, ErasureMetrics } from './ingest.ts';

type Parts = {
  readonly db: Database;
  readonly clickhouse: ClickHouse;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly others?: Eraser;
  readonly metrics?: ErasureMetrics;
  readonly eraseEveryMs?: number;
  readonly tendEveryMs?: number;
  readonly tidyEveryMs?: number;
};

/** What has to be done beside the counting: erasure within a minute, tidying and what erasure leaves behind now and then. Any process may. */
export function createIngestChores({
  db,
  clickhouse,
  logger,
  others,
  metrics,
  eraseEveryMs = 2_000,
  tendEveryMs = 3_600_000,
  tidyEveryMs = 3_600_000,
}: Parts): Chores {
  async function erase(signal: AbortSignal): Promise<boolean> {
    const codes = await eraseInTurn(db, clickhouse, signal, others);
    if (codes > 0) logger.info({ codes }, 'scans of deleted codes erased');
    return false;
  }

  async function tend(signal: AbortSignal): Promise<boolean> {
    const hidden = await tendHiddenRows(db, clickhouse, signal);
    metrics?.hidden(hidden);
    for (const { mutation, reason } of hidden.stopped)
      logger.warn({ mutation, reason }, 'rewriting of parts with hidden rows kept failing and was stopped');
    if (hidden.merged !== null) logger.info({ month: hidden.merged }, 'parts with hidden rows are rewritten');
    return false;
  }

  async function tidy(signal: AbortSignal): Promise<boolean> {
    const { batches, setAside, tables } = await tidyIngest(db, signal);
    if (batches + setAside + tables.length > 0)
      logger.info({ batches, setAside, tables }, 'old batch ids and visitor tables removed');
    return false;
  }

  return createChores(logger, [
    { name: 'erase', everyMs: eraseEveryMs, run: erase },
    { name: 'tend hidden rows', everyMs: tendEveryMs, run: tend },
    { name: 'tidy', everyMs: tidyEveryMs, run: tidy },
  ]);
}
