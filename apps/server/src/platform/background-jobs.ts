import { setTimeout as sleep } from 'node:timers/promises';
import { untilAborted } from '../kernel/running/until-aborted.ts';
import type { Logger } from './logger.ts';
import { isDatabaseAway } from './postgres/postgres.ts';

/*
 * All periodic work of a process. Pick by what stopping means:
 * - `createBackgroundJobs`: jobs that change something. Stopping waits for the run in progress.
 * - `poll`: looks at something, often over the network. Stopping abandons the look in progress.
 * - `runEvery`: a tick in memory, or one that starts work and keeps track of it itself.
 * None of them keeps a process alive by its timer.
 */

export type BackgroundJobs = {
  start(): void;
  /** Starts no further run, and does not wait for those in progress. */
  drain(): void;
  stop(): Promise<void>;
};

export type BackgroundJob = {
  readonly name: string;
  /** From the end of one run to the start of the next. */
  readonly everyMs: number;
  /** Resolves to true if there is more to do: then the next run follows at once. */
  run(signal: AbortSignal): Promise<boolean>;
};

/**
 * Each job runs at the start and then periodically. A job that keeps failing is logged once until it works again. While
 * PostgreSQL is away all of them fail: that is reported by the pools, once, and not by each job.
 */
export function createBackgroundJobs(
  logger: Pick<Logger, 'warn'>,
  jobs: readonly BackgroundJob[],
): BackgroundJobs {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<unknown> = Promise.resolve();

  function keepRunning({ name, everyMs, run }: BackgroundJob): Promise<void> {
    let isFailing = false;
    return repeat(everyMs, signal, async () => {
      try {
        const hasMore = await run(signal);
        isFailing = false;
        return hasMore;
      } catch (error) {
        if (isDatabaseAway(error)) return false;
        if (!isFailing && !signal.aborted) logger.warn({ err: error, job: name }, 'background job failed');
        isFailing = true;
        return false;
      }
    });
  }

  return {
    start() {
      running = Promise.all(jobs.map(keepRunning));
    },
    drain: () => stopping.abort(),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/**
 * Looks at the start and then periodically, one look at a time. `look` must not reject. Returns the stop function, which
 * does not wait for a look in progress: an engine that does not answer must not delay the end of a process.
 */
export function poll(everyMs: number, look: () => Promise<unknown>): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = repeat(everyMs, signal, async () => {
    await untilAborted(look(), signal);
    return false;
  });
  return async () => {
    stopping.abort();
    await running;
  };
}

/** Calls `tick` periodically, the first time after one interval. `tick` must not throw. Returns the stop function. */
export function runEvery(everyMs: number, tick: () => void): () => void {
  const timer = setInterval(tick, everyMs).unref();
  return () => clearInterval(timer);
}

async function repeat(everyMs: number, signal: AbortSignal, run: () => Promise<boolean>): Promise<void> {
  while (!signal.aborted) {
    const hasMore = await run();
    if (!hasMore) await sleep(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
