import { setTimeout as pause } from 'node:timers/promises';
import type { KnownLog } from '../scans/log/reader.ts';
import { checkEntry } from './counting/check.ts';
import type { CheckedEntry, ScanLogReader } from './ingest.ts';

/** Reads ahead and validates, so that the next group is ready when the previous one is done. Bounded by scans. */
export type LogBuffer = {
  /** Waits for an entry, then up to `lingerMs` for more, and takes at most `maxScans` (at least one entry). */
  next(maxScans: number, lingerMs: number): Promise<CheckedEntry[]>;
};

export function createLogBuffer(
  log: Pick<ScanLogReader, 'read'>,
  shard: number,
  afterPosition: number,
  maxBufferedScans: number,
  signal: AbortSignal,
  known?: KnownLog,
): LogBuffer {
  const entries: CheckedEntry[] = [];
  let scans = 0;
  let failure: unknown;
  let wake = Promise.withResolvers<void>();

  /** Wakes all waiters. */
  const notify = () => {
    wake.resolve();
    wake = Promise.withResolvers();
  };

  async function fill(): Promise<void> {
    try {
      for await (const read of log.read(shard, afterPosition, signal, known)) {
        const entry = checkEntry(read);
        entries.push(entry);
        scans += measureEntry(entry);
        notify();
        while (scans >= maxBufferedScans && !signal.aborted) await wake.promise;
        if (signal.aborted) break;
      }
      failure = new Error('The log ended');
    } catch (error) {
      failure = error;
    }
    notify();
  }

  function take(count: number): CheckedEntry[] {
    const taken = entries.splice(0, count);
    for (const entry of taken) scans -= measureEntry(entry);
    notify();
    return taken;
  }

  async function wait(): Promise<void> {
    signal.throwIfAborted();
    if (failure !== undefined) throw failure;
    await wake.promise;
    signal.throwIfAborted();
  }

  signal.addEventListener('abort', notify, { once: true });
  void fill();
  return {
    async next(maxScans, lingerMs) {
      while (entries.length === 0) await wait();
      let hasLingered = false;
      const lingered = pause(lingerMs, undefined, { signal }).then(
        () => {
          hasLingered = true;
        },
        () => undefined,
      );
      while (scans < maxScans && !hasLingered && failure === undefined && !signal.aborted)
        await Promise.race([wake.promise, lingered]);
      let count = 0;
      let sum = 0;
      for (const entry of entries) {
        sum += measureEntry(entry);
        if (count > 0 && sum > maxScans) break;
        count++;
      }
      return take(count);
    },
  };
}

/** An entry without scans takes memory too. */
const measureEntry = ({ batch }: CheckedEntry) => Math.max(1, batch.scans.length);
