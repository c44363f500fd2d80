import { poll } from '../../platform/background-jobs.ts';
import type { StreamSize } from '../../platform/nats/stream-sizes.ts';

/** Tracks which shards of the log are full. */
export type LogFill = {
  isFull(shard: number): boolean;
  /** Resolves after the first measurement, even if it failed, or at `stop`. */
  readonly measured: Promise<void>;
  stop(): Promise<void>;
};

type Options = {
  readonly shards: number;
  readonly measure: (shard: number) => Promise<StreamSize>;
  /** Called after every measurement, with those shards that answered. */
  readonly onSizes: (sizes: readonly StreamSize[]) => void;
  readonly everyMs: number;
};

/**
 * Measures periodically. The limit in bytes is enforced here and not in NATS, which would reserve the space and, in 2.9,
 * drop the oldest entries at the limit. So a shard may grow past it by what arrives between two measurements. While a
 * shard does not answer, its last measurement holds.
 */
export function watchFill({ shards, measure, onSizes, everyMs }: Options): LogFill {
  const first = Promise.withResolvers<void>();
  const full = new Set<number>();
  const measureShard = async (shard: number): Promise<readonly StreamSize[]> => {
    const size = await measure(shard).catch(() => null);
    if (size === null) return [];
    if (size.used >= 1) full.add(shard);
    else full.delete(shard);
    return [size];
  };
  const stopPolling = poll(everyMs, async () => {
    const sizes = await Promise.all(Array.from({ length: shards }, (_, shard) => measureShard(shard)));
    onSizes(sizes.flat());
    first.resolve();
  });
  return {
    isFull: shard => full.has(shard),
    measured: first.promise,
    async stop() {
      await stopPolling();
      first.resolve();
    },
  };
}
