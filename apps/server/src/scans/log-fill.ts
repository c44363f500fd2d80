import { lookEvery } from '../platform/look-every.ts';
import type { StreamSize } from '../platform/stream-sizes.ts';

/** Knows whether a shard of the log is full. */
export type LogFill = {
  isFull(): boolean;
  /** Resolves after the first look, whatever came of it, or at the end. */
  readonly looked: Promise<void>;
  stop(): Promise<void>;
};

type Options = {
  readonly look: () => Promise<StreamSize>;
  /** Called after every look; null where the log did not answer. */
  readonly onSize: (size: StreamSize | null) => void;
  readonly everyMs: number;
};

/**
 * Looks again and again. The bound in bytes is kept here and not in NATS, which would reserve it and, as 2.9, drop the oldest
 * where it is reached. So the log may grow past it by what arrives between two looks. While the log does not answer, the last
 * answer holds.
 */
export function watchFill({ look, onSize, everyMs }: Options): LogFill {
  const first = Promise.withResolvers<void>();
  let isFull = false;
  const end = lookEvery(everyMs, async () => {
    const size = await look().catch(() => null);
    if (size) isFull = size.used >= 1;
    onSize(size);
    first.resolve();
  });
  return {
    isFull: () => isFull,
    looked: first.promise,
    async stop() {
      await end();
      first.resolve();
    },
  };
}
