import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../platform/postgres.ts';
import type { BackupMetrics } from './metrics.ts';
import { lastBackup } from './record.ts';

type Parts = { readonly db: Database; readonly metrics: BackupMetrics; readonly everyMs?: number };

/** Asks every two seconds, not whenever Prometheus does: PostgreSQL may be away, and metrics must come. Returns what ends it. */
export function watchBackups({ db, metrics, everyMs = 2_000 }: Parts): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  async function run(): Promise<void> {
    while (!signal.aborted) {
      metrics.set(await lastBackup(db).catch(() => null));
      await pause(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
}
