import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from './logger.ts';

/** Work that has to be done again and again beside the real one. */
export type Chores = { start(): void; stop(): Promise<void> };

export type Chore = {
  readonly name: string;
  readonly everyMs: number;
  /** Resolves to true where there is more to do: then it is done again at once. */
  run(signal: AbortSignal): Promise<boolean>;
};

/** One that fails is tried again at its next time, and told of once until it works again. */
export function createChores(logger: Pick<Logger, 'warn'>, chores: readonly Chore[]): Chores {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<unknown> = Promise.resolve();

  async function keepDoing({ name, everyMs, run }: Chore): Promise<void> {
    let [more, failing] = [false, false];
    while (!signal.aborted) {
      try {
        more = await run(signal);
        failing = false;
      } catch (error) {
        if (!failing && !signal.aborted) logger.warn({ err: error, chore: name }, 'chore failed');
        [more, failing] = [false, true];
      }
      if (!more) await pause(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    start() {
      running = Promise.all(chores.map(keepDoing));
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
