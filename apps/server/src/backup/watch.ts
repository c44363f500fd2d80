import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../platform/logger.ts';
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
  const stopping = new AbortController();
  const { signal } = stopping;
  let isSaid = false;
  /** Said once for as long as it lasts. */
  function say(error: unknown): null {
    if (!isSaid) logger.warn({ err: error }, 'last backup not read');
    isSaid = true;
    return null;
  }
  async function run(): Promise<void> {
    while (!signal.aborted) {
      const last = await lastBackup(db).catch(say);
      if (last) isSaid = false;
      metrics.set(last);
      await pause(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
}
