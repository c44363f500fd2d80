import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../platform/logger.ts';
import type { Ingest } from './service.ts';

type Parts = {
  /** Every shard that has a stream. Throws while the log is away. */
  readonly shards: () => Promise<readonly number[]>;
  /** So many shards have a worker in any case, before their streams are made. */
  readonly least: number;
  readonly create: (shard: number) => Ingest;
  readonly logger: Pick<Logger, 'info'>;
  readonly everyMs?: number;
};

/**
 * Keeps a worker on every stream of scans that exists. The settings of a redirect decide which streams there are, and
 * those of ingest may be older: a stream that nobody expected holds scans all the same.
 */
export function createShardWorkers({ shards, least, create, logger, everyMs = 5_000 }: Parts): Ingest {
  const workers = new Map<number, Ingest>();
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> = Promise.resolve();

  function add(shard: number): void {
    const worker = create(shard);
    workers.set(shard, worker);
    worker.start();
  }

  async function look(): Promise<void> {
    const there = new Set(await shards());
    if (signal.aborted) return;
    for (const shard of there) {
      if (workers.has(shard)) continue;
      logger.info({ shard }, 'a stream beyond SCAN_SHARDS has scans: working on it');
      add(shard);
    }
    for (const [shard, worker] of workers) {
      if (shard < least || there.has(shard)) continue;
      workers.delete(shard);
      await worker.stop();
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      // A log that is away is asked again; its workers wait for it by themselves.
      await look().catch(() => undefined);
      await pause(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    start() {
      for (let shard = 0; shard < least; shard++) add(shard);
      running = run();
    },
    async stop() {
      stopping.abort();
      await running;
      await Promise.all([...workers.values()].map(worker => worker.stop()));
    },
  };
}
