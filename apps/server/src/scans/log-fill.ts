import { setTimeout as pause } from 'node:timers/promises';
import type { LogSize } from './log-meter.ts';

/** Knows whether a shard of the log is full. */
export type LogFill = { isFull(): boolean; stop(): Promise<void> };

/** Of its bound. What comes until the next look must find room in the rest. */
const fullFrom = 0.9;

/**
 * Looks every second. NATS 2.9 refuses what would pass the bound of a stream, but forgets the few bytes that it adds to each
 * entry: an append that just fits by that count is taken, and the oldest entry dropped for it. So nobody appends to a log that
 * is nearly full. A log that cannot be looked at is as it was.
 */
export function watchFill(size: () => Promise<LogSize>, everyMs = 1_000): LogFill {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isFull = false;
  async function run(): Promise<void> {
    while (!signal.aborted) {
      const found = await size().catch(() => null);
      if (found) isFull = found.bytes > fullFrom * found.maxBytes;
      await pause(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }
  const running = run();
  return {
    isFull: () => isFull,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
