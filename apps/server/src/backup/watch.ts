import { poll } from '../platform/background-jobs.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { BackupMetrics } from './metrics.ts';
import { lastBackup } from './record.ts';

type Parts = {
  readonly db: Database;
  readonly metrics: BackupMetrics;
  readonly logger: Pick<Logger, 'warn'>;
  readonly everyMs?: number;
};

/** Polls every two seconds instead of at each scrape, since PostgreSQL may be down. Returns a stop function. */
export function watchBackups({ db, metrics, logger, everyMs = 2_000 }: Parts): () => Promise<void> {
  let isLogged = false;
  /** Logs once per outage. */
  function warn(error: unknown): null {
    if (!isLogged) logger.warn({ err: error }, 'last backup not read');
    isLogged = true;
    return null;
  }
  return poll(everyMs, async () => {
    const last = await lastBackup(db).catch(warn);
    if (last) isLogged = false;
    metrics.set(last);
  });
}
