import type { Logger } from '../platform/logger.ts';
import { lookEvery } from '../platform/look-every.ts';
import type { Database } from '../platform/postgres.ts';
import type { StreamSize } from '../platform/stream-sizes.ts';
import type { StreamMetrics } from './stream-metrics.ts';
import { type TrimmableLog, trimFull } from './trimming.ts';

type Parts = {
  readonly db: Database;
  readonly log: TrimmableLog & { shards(): Promise<readonly number[]> };
  /** The most that a shard may hold. */
  readonly maxBytes: number;
  /** Of the streams that are ours. */
  readonly sizes: () => Promise<readonly StreamSize[]>;
  readonly metrics: StreamMetrics;
  readonly onTrimmed: (entries: number) => void;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly everyMs?: number;
};

/**
 * Measures how full the streams are, and makes room in the logs, at most once a look. Every ingest process may: to remove the
 * same entries twice is harmless. Returns what ends it.
 */
export function watchStreams(parts: Parts): () => Promise<void> {
  const { db, log, maxBytes, sizes, metrics, onTrimmed, logger, everyMs = 2_000 } = parts;

  async function makeRoom(): Promise<void> {
    for (const shard of await log.shards()) {
      const entries = await trimFull(db, log, { shard, maxBytes });
      if (entries === 0) continue;
      onTrimmed(entries);
      logger.info({ shard, entries }, 'counted entries removed from a full scan log');
    }
  }

  let isLogged = false;
  return lookEvery(everyMs, async () => {
    metrics.set(await sizes().catch(() => null));
    await makeRoom().then(
      () => {
        isLogged = false;
      },
      error => {
        // Once: an engine that is away is reported elsewhere too.
        if (!isLogged) logger.warn({ err: error }, 'no room made in the scan log');
        isLogged = true;
      },
    );
  });
}
