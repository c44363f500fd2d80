import { poll } from '../../platform/background-jobs.ts';
import type { Logger } from '../../platform/logger.ts';
import type { StreamSize } from '../../platform/nats/stream-sizes.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { StreamMetrics } from './stream-metrics.ts';
import { type TrimmableLog, trimFull } from './trimming.ts';

type Parts = {
  readonly db: Database;
  readonly log: TrimmableLog & { shards(): Promise<readonly number[]> };
  /** The limit of a shard. */
  readonly maxBytes: number;
  /** Measures all streams of this installation. */
  readonly measure: () => Promise<readonly StreamSize[]>;
  /** Removes what the log has kept for long enough, for a log that does not do so itself. */
  readonly trimExpired?: (db: Database) => Promise<number>;
  readonly metrics: StreamMetrics;
  readonly onTrimmed: (entries: number) => void;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly everyMs?: number;
};

/**
 * Periodically measures how full the streams are, and trims full logs. Every ingest process does so: trimming the same
 * entries twice is harmless. Returns a stop function.
 */
export function watchStreams(parts: Parts): () => Promise<void> {
  const { db, log, maxBytes, measure, metrics, onTrimmed, logger, everyMs = 2_000 } = parts;

  async function trimLogs(): Promise<void> {
    await parts.trimExpired?.(db);
    for (const shard of await log.shards()) {
      const entries = await trimFull(db, log, { shard, maxBytes });
      if (entries === 0) continue;
      onTrimmed(entries);
      logger.info({ shard, entries }, 'counted entries trimmed from a full scan log');
    }
  }

  let isLogged = false;
  return poll(everyMs, async () => {
    metrics.set(await measure().catch(() => null));
    await trimLogs().then(
      () => {
        isLogged = false;
      },
      error => {
        // Once: a database that is down is reported elsewhere too.
        if (!isLogged) logger.warn({ err: error }, 'scan log not trimmed');
        isLogged = true;
      },
    );
  });
}
