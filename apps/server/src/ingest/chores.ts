import { type Chores, createChores } from '../platform/chores.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres.ts';
import { eraseDue } from './erasure.ts';
import { healOne } from './healing.ts';
import { tidyIngest } from './housekeeping.ts';
import type { Eraser } from './ingest.ts';

type Parts = {
  readonly db: Database;
  readonly clickhouse: ClickHouse;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly others?: Eraser;
  readonly eraseEveryMs?: number;
  readonly healEveryMs?: number;
  readonly tidyEveryMs?: number;
};

/** What has to be done beside the counting: erasure within a minute, healing and tidying now and then. Any process may. */
export function createIngestChores({
  db,
  clickhouse,
  logger,
  others,
  eraseEveryMs = 2_000,
  healEveryMs = 60_000,
  tidyEveryMs = 3_600_000,
}: Parts): Chores {
  async function erase(signal: AbortSignal): Promise<boolean> {
    const codes = await eraseDue(db, clickhouse, signal, others);
    if (codes > 0) logger.info({ codes }, 'scans of deleted codes erased');
    return false;
  }

  async function heal(signal: AbortSignal): Promise<boolean> {
    await healOne(clickhouse, signal);
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
    { name: 'heal', everyMs: healEveryMs, run: heal },
    { name: 'tidy', everyMs: tidyEveryMs, run: tidy },
  ]);
}
