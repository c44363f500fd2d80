import { setTimeout as pause } from 'node:timers/promises';
import { orAborted } from '../kernel/or-aborted.ts';
import type { StreamSize } from '../platform/stream-sizes.ts';

/** Knows whether a shard of the log is full. */
export type LogFill = {
  isFull(): boolean;
  /** Resolves after the first look, whatever came of it. */
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
  const stopping = new AbortController();
  const { signal } = stopping;
  const first = Promise.withResolvers<void>();
  let isFull = false;
  async function run(): Promise<void> {
    while (!signal.aborted) {
      const size = await orAborted(
        look().catch(() => null),
        signal,
      );
      if (size) isFull = size.used >= 1;
      onSize(size);
      first.resolve();
      await pause(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }
  const running = run();
  return {
    isFull: () => isFull,
    looked: first.promise,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
