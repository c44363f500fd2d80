import { createBackgroundJobs } from '../platform/background-jobs.ts';
import type { Logger } from '../platform/logger.ts';
import { createBalance, type Ownership } from './ownership.ts';
import type { Ingest, ShardWorker } from './service.ts';

type Parts = {
  /** Every shard that has a stream. Throws while NATS is down. */
  readonly shards: () => Promise<readonly number[]>;
  /** This many shards always have a worker, even before their streams exist. */
  readonly minShards: number;
  readonly create: (shard: number) => ShardWorker;
  /** Without it, a process keeps every shard that it has. */
  readonly ownership?: () => Promise<Ownership>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly everyMs?: number;
};

/**
 * Runs a worker for every existing scan stream. The settings of a redirect decide which streams there are, and those of
 * ingest may be older: a stream beyond them holds scans too. Of several processes each works on its share of the shards;
 * the workers of the others wait, to take over.
 */
export function createShardWorkers(parts: Parts): Ingest {
  const { shards, minShards, create, ownership, logger, everyMs = 5_000 } = parts;
  const workers = new Map<number, ShardWorker>();
  const balance = createBalance();

  function add(shard: number): void {
    const worker = create(shard);
    workers.set(shard, worker);
    worker.start();
  }

  async function update(signal: AbortSignal): Promise<void> {
    const existing = new Set(await shards());
    if (signal.aborted) return;
    for (const shard of existing) {
      if (workers.has(shard)) continue;
      logger.info({ shard }, 'worker started for a stream beyond SCAN_SHARDS');
      add(shard);
    }
    for (const [shard, worker] of workers) {
      if (shard < minShards || existing.has(shard)) continue;
      workers.delete(shard);
      await worker.stop();
    }
  }

  async function giveUpSurplus(): Promise<void> {
    if (!ownership) return;
    const surplus = balance.surplus(await ownership(), workers.size);
    if (surplus.length > 0) logger.info({ shards: surplus }, 'shards left to other processes');
    for (const shard of surplus) workers.get(shard)?.yieldShard();
  }

  const jobs = createBackgroundJobs(logger, [
    {
      name: 'find shards of the log',
      everyMs,
      // If NATS is down this is retried; the workers wait for it by themselves.
      async run(signal) {
        await update(signal);
        return false;
      },
    },
    {
      name: 'balance shards',
      everyMs,
      async run() {
        await giveUpSurplus();
        return false;
      },
    },
  ]);

  return {
    start() {
      for (let shard = 0; shard < minShards; shard++) add(shard);
      jobs.start();
    },
    async stop() {
      await jobs.stop();
      await Promise.all([...workers.values()].map(worker => worker.stop()));
    },
  };
}
