import { setTimeout as pause } from 'node:timers/promises';
import { checkEntry } from './check.ts';
import type { CheckedEntry, KnownLog, ScanLogReader } from './ingest.ts';

/** Reads a shard ahead and checks it, so that the next group is there when the one before is done. Bounded by scans. */
export type LogBuffer = {
  /** Waits for an entry, then a little for more, and takes at most `maxScans` (one entry at least). */
  next(maxScans: number, lingerMs: number): Promise<CheckedEntry[]>;
};

export function createLogBuffer(
  log: Pick<ScanLogReader, 'read'>,
  shard: number,
  afterPosition: number,
  most: number,
  signal: AbortSignal,
  known?: KnownLog,
): LogBuffer {
  const entries: CheckedEntry[] = [];
  let scans = 0;
  let failure: unknown;
  let wake = Promise.withResolvers<void>();

  /** Tells whoever waits that something has changed. */
  const changed = () => {
    wake.resolve();
    wake = Promise.withResolvers();
  };

  async function fill(): Promise<void> {
    try {
      for await (const read of log.read(shard, afterPosition, signal, known)) {
        const entry = checkEntry(read);
        entries.push(entry);
        scans += sizeOf(entry);
        changed();
        while (scans >= most && !signal.aborted) await wake.promise;
        if (signal.aborted) break;
      }
      failure = new Error('The log ended');
    } catch (error) {
      failure = error;
    }
    changed();
  }

  function take(count: number): CheckedEntry[] {
    const taken = entries.splice(0, count);
    for (const entry of taken) scans -= sizeOf(entry);
    changed();
    return taken;
  }

  async function wait(): Promise<void> {
    signal.throwIfAborted();
    if (failure !== undefined) throw failure;
    await wake.promise;
    signal.throwIfAborted();
  }

  signal.addEventListener('abort', changed, { once: true });
  void fill();
  return {
    async next(maxScans, lingerMs) {
      while (entries.length === 0) await wait();
      let isLate = false;
      const late = pause(lingerMs, undefined, { signal }).then(
        () => {
          isLate = true;
        },
        () => undefined,
      );
      while (scans < maxScans && !isLate && failure === undefined && !signal.aborted)
        await Promise.race([wake.promise, late]);
      let count = 0;
      let sum = 0;
      for (const entry of entries) {
        sum += sizeOf(entry);
        if (count > 0 && sum > maxScans) break;
        count++;
      }
      return take(count);
    },
  };
}

/** An entry without scans takes room too. */
const sizeOf = ({ batch }: CheckedEntry) => Math.max(1, batch.scans.length);
