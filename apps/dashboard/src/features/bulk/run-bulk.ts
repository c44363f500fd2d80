import { ApiError } from '../../api/api-error.ts';
import { currentMode } from '../../api/mode.ts';

/** A code that stays as it was, and why. */
export type Failure = { readonly id: string; readonly message: string };

/** What one call has done. */
export type BatchResult = { readonly done: number; readonly failures: readonly Failure[] };

export type BulkProgress = {
  readonly sent: number;
  /** Until when the limit of the plan makes it wait, in milliseconds. */
  readonly waitUntil?: number;
};

export type BulkOutcome = {
  readonly done: number;
  readonly failures: readonly Failure[];
  /** What ended it before all were sent. */
  readonly error?: unknown;
  readonly stopped: boolean;
};

type Options = {
  readonly ids: readonly string[];
  readonly batchSize: number;
  readonly send: (ids: readonly string[]) => Promise<BatchResult>;
  readonly onProgress: (progress: BulkProgress) => void;
  /** Ends it after the call that is under way: nobody would know what became of one that is broken off. */
  readonly signal: AbortSignal;
  /** Waits; left out, by the clock. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
};

const retryAfterMs = 1_000;

/**
 * Sends ids in batches, one after another. Where the plan limits edits in a minute, it waits; any other refusal ends it, with
 * what was done until then. Each batch is done whole or not at all.
 */
export async function runBulk({
  ids,
  batchSize,
  send,
  onProgress,
  signal,
  wait = pause,
}: Options): Promise<BulkOutcome> {
  const mode = currentMode();
  let [sent, done] = [0, 0];
  const failures: Failure[] = [];
  onProgress({ sent });
  while (sent < ids.length) {
    // The other mode has no such codes.
    if (signal.aborted || currentMode() !== mode) return { done, failures, stopped: true };
    const batch = ids.slice(sent, sent + batchSize);
    try {
      const result = await send(batch);
      done += result.done;
      failures.push(...result.failures);
      sent += batch.length;
      onProgress({ sent });
    } catch (error) {
      if (signal.aborted) return { done, failures, stopped: true };
      if (!(error instanceof ApiError) || error.status !== 429)
        return { done, failures, error, stopped: false };
      const ms = (error.retryAfterSeconds ?? 0) * 1000 || retryAfterMs;
      onProgress({ sent, waitUntil: Date.now() + ms });
      await wait(ms, signal);
    }
  }
  return { done, failures, stopped: false };
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
