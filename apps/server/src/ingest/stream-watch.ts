import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres.ts';
import type { StreamSize } from '../platform/stream-sizes.ts';
import type { StreamMetrics } from './stream-metrics.ts';
import { type TrimmableLog, trimFull } from './trimming.ts';

type Parts = {
  readonly db: Database;
  readonly log: TrimmableLog & { shards(): Promise<readonly number[]> };
  /** Of the streams that are ours. */
  readonly sizes: () => Promise<readonly StreamSize[]>;
  readonly metrics: StreamMetrics;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly everyMs?: number;
};

/**
 * Tells how full the streams are, and makes room in the logs, at most once a look. Every ingest process may: to remove the same
 * entries twice is harmless. Returns what ends it.
 */
export function watchStreams({ db, log, sizes, metrics, logger, everyMs = 2_000 }: Parts) {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function makeRoom(): Promise<void> {
    for (const shard of await log.shards()) {
      const entries = await trimFull(db, log, shard);
      if (entries === 0) continue;
      metrics.trimmed(entries);
      logger.info({ shard, entries }, 'counted entries removed from a full scan log');
    }
  }

  let isTold = false;
  async function run(): Promise<void> {
    while (!signal.aborted) {
      metrics.set(await sizes().catch(() => null));
      await makeRoom().then(
        () => {
          isTold = false;
        },
        error => {
          // Said once: engines that are away are told of elsewhere too.
          if (!isTold) logger.warn({ err: error }, 'no room made in the scan log');
          isTold = true;
        },
      );
      await pause(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }

  const running = run();
  return async (): Promise<void> => {
    stopping.abort();
    await running;
  };
}
