import type { Logger } from '../platform/logger.ts';
import { lookEvery } from '../platform/look-every.ts';
import type { Database } from '../platform/postgres.ts';
import type { BackupMetrics } from './metrics.ts';
import { lastBackup } from './record.ts';

type Parts = {
  readonly db: Database;
  readonly metrics: BackupMetrics;
  readonly logger: Pick<Logger, 'warn'>;
  readonly everyMs?: number;
};

/** Asks every two seconds, not whenever Prometheus does: PostgreSQL may be away, and metrics must come. Returns what ends it. */
export function watchBackups({ db, metrics, logger, everyMs = 2_000 }: Parts): () => Promise<void> {
  let isLogged = false;
  /** Once for as long as it lasts. */
  function warn(error: unknown): null {
    if (!isLogged) logger.warn({ err: error }, 'last backup not read');
    isLogged = true;
    return null;
  }
  return lookEvery(everyMs, async () => {
    const last = await lastBackup(db).catch(warn);
    if (last) isLogged = false;
    metrics.set(last);
  });
}
