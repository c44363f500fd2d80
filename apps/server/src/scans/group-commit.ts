import type { Ids } from '../kernel/ids.ts';
import { type SealedBatch, sealBatch } from './batch.ts';
import { createBatchKeeper, type DoubtEvent, type Kept } from './batch-keeper.ts';
import type { Scan } from './scan.ts';
import type { LogAppender } from './scan-log.ts';

export type ScanWriter = {
  /** Never rejects. */
  write(scan: Scan): Promise<Kept>;
  /** Scans that have no answer yet. */
  pending(): number;
  /** True while scans wait because all places are taken. */
  busy(): boolean;
  /** Resolves when all that was written has its answer. */
  drained(): Promise<void>;
};

export type WriterEvent =
  | DoubtEvent
  | { readonly kind: 'logged'; readonly scans: number; readonly ms: number }
  | { readonly kind: 'spooled'; readonly scans: number; readonly ms: number }
  | { readonly kind: 'lost'; readonly scans: number; readonly why: 'nowhere' | 'too_many' | 'broken' };

export type WriterOptions = {
  readonly log: LogAppender;
  readonly spool: { append(batch: SealedBatch): Promise<'spooled' | 'lost'> };
  readonly ids: Ids;
  readonly maxBatch?: number;
  /**
   * Appends under way at once. Beyond them scans gather, which is what makes a crowd share: one at a time makes the
   * fewest and largest appends, and a slow one holds up the next by no more than `maxDelayMs`.
   */
  readonly maxInFlight?: number;
  /** The longest that a scan gathers before it is sent all the same. */
  readonly maxDelayMs?: number;
  readonly ackTimeoutMs?: number;
  readonly onEvent?: (event: WriterEvent) => void;
};

type Waiting = { readonly scan: Scan; readonly resolve: (kept: Kept) => void };

/** Scans without an answer that a process holds; more than this is shed and counted. */
const maxPending = 50_000;

/**
 * Group commit without waiting: a lone scan is appended at once; while appends are under way, scans gather and then
 * share one append and one ack. A batch keeps its id on every way it takes, so that whatever arrives twice is known.
 */
export function createScanWriter(options: WriterOptions): ScanWriter {
  const { log, spool, ids, maxBatch = 500, maxInFlight = 1, maxDelayMs = 10, ackTimeoutMs = 100 } = options;
  const { onEvent = () => undefined } = options;
  const { keep } = createBatchKeeper({ log, spool, ackTimeoutMs, onEvent });
  let waiting: Waiting[] = [];
  let pending = 0;
  let inFlight = 0;
  let scheduled = false;
  let overdue: NodeJS.Timeout | undefined;
  const drained: (() => void)[] = [];

  function send(): void {
    scheduled = false;
    while (waiting.length > 0 && inFlight < maxInFlight) launch();
    if (waiting.length > 0) overdue ??= setTimeout(sendOverdue, maxDelayMs);
  }

  function sendOverdue(): void {
    overdue = undefined;
    launch();
    send();
  }

  function launch(): void {
    const group = waiting.length <= maxBatch ? waiting : waiting.slice(0, maxBatch);
    waiting = group === waiting ? [] : waiting.slice(maxBatch);
    if (waiting.length === 0) {
      clearTimeout(overdue);
      overdue = undefined;
    }
    if (group.length > 0) commit(group);
  }

  function commit(group: readonly Waiting[]): void {
    const batch = seal(group);
    if (batch) {
      const began = performance.now();
      inFlight++;
      void keep(batch).then(kept => {
        inFlight--;
        if (kept === 'lost') onEvent({ kind: 'lost', scans: group.length, why: 'nowhere' });
        else onEvent({ kind: kept, scans: group.length, ms: performance.now() - began });
        answer(group, kept);
        send();
      });
    } else if (group.length === 1) {
      onEvent({ kind: 'lost', scans: 1, why: 'broken' });
      answer(group, 'lost');
    } else {
      // One scan that is not what its type says must not take the others with it.
      for (const one of group) commit([one]);
    }
  }

  function seal(group: readonly Waiting[]): SealedBatch | null {
    try {
      return sealBatch({ id: ids.next(), scans: group.map(({ scan }) => scan) });
    } catch {
      return null;
    }
  }

  function answer(group: readonly Waiting[], kept: Kept): void {
    pending -= group.length;
    for (const { resolve } of group) resolve(kept);
    if (pending === 0) for (const resolve of drained.splice(0)) resolve();
  }

  return {
    write(scan) {
      if (pending >= maxPending) {
        onEvent({ kind: 'lost', scans: 1, why: 'too_many' });
        return Promise.resolve('lost');
      }
      pending++;
      return new Promise(resolve => {
        waiting.push({ scan, resolve });
        if (scheduled) return;
        if (inFlight >= maxInFlight) {
          overdue ??= setTimeout(sendOverdue, maxDelayMs);
          return;
        }
        scheduled = true;
        // Requests that arrived in the same turn of the event loop share from the first append on.
        setImmediate(send);
      });
    },
    pending: () => pending,
    busy: () => inFlight >= maxInFlight && waiting.length > 0,
    drained: () => new Promise(resolve => (pending === 0 ? resolve() : drained.push(resolve))),
  };
}
