import { poll } from '../../platform/background-jobs.ts';
import type { StreamSize } from '../../platform/stream-sizes.ts';

/** Tracks whether a shard of the log is full. */
export type LogFill = {
  isFull(): boolean;
  /** Resolves after the first measurement, even if it failed, or at `stop`. */
  readonly measured: Promise<void>;
  stop(): Promise<void>;
};

type Options = {
  readonly measure: () => Promise<StreamSize>;
  /** Called after every measurement; null if the log did not answer. */
  readonly onSize: (size: StreamSize | null) => void;
  readonly everyMs: number;
};

/**
 * Measures periodically. The limit in bytes is enforced here and not in NATS, which would reserve the space and, in 2.9,
 * drop the oldest entries at the limit. So the log may grow past it by what arrives between two measurements. While the
 * log does not answer, the last measurement holds.
 */
export function watchFill({ measure, onSize, everyMs }: Options): LogFill {
  const first = Promise.withResolvers<void>();
  let isFull = false;
  const stopPolling = poll(everyMs, async () => {
    const size = await measure().catch(() => null);
    if (size) isFull = size.used >= 1;
    onSize(size);
    first.resolve();
  });
  return {
    isFull: () => isFull,
    measured: first.promise,
    async stop() {
      await stopPolling();
      first.resolve();
    },
  };
}
