import { setTimeout as pause } from 'node:timers/promises';
import { orAborted } from '../kernel/or-aborted.ts';

/**
 * Looks now, and again some time after each look has ended. `look` must not reject. Returns what ends it, which does not wait
 * for a look at an engine that is silent.
 */
export function lookEvery(everyMs: number, look: () => Promise<void>): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  async function run(): Promise<void> {
    while (!signal.aborted) {
      await orAborted(look(), signal);
      await pause(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
}
