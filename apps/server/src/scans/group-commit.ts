import type { Ids } from '../kernel/ids.ts';
import { within } from '../kernel/within.ts';
import { type SealedBatch, sealBatch } from './batch.ts';
import type { Scan } from './scan.ts';
import type { LogAppender } from './scan-log.ts';

/** Where a scan is when its answer may be sent. Lost: neither log nor disk took it; the redirect answers all the same. */
export type Kept = 'logged' | 'spooled' | 'lost';

export type ScanWriter = {
  /** Never rejects. */
  write(scan: Scan): Promise<Kept>;
  /** Sends a batch from the spool on. That it succeeds also tells that the log can be trusted again. */
  resend(batch: SealedBatch): Promise<void>;
  /** Scans that have no answer yet. */
  pending(): number;
  /** True while scans wait because all places are taken. */
  busy(): boolean;
  /** Resolves when all that was written has its answer. */
  drained(): Promise<void>;
};

export type WriterEvent =
  | { readonly kind: 'logged'; readonly scans: number; readonly ms: number }
  | { readonly kind: 'spooled'; readonly scans: number; readonly ms: number }
  | { readonly kind: 'lost'; readonly scans: number; readonly why: 'nowhere' | 'too_many' | 'broken' }
  /** An append that failed: its batch went to the spool, and for a while so do those after it. */
  | { readonly kind: 'log_doubted'; readonly error: unknown };

export type WriterOptions = {
  readonly log: LogAppender;
  readonly spool: { append(batch: SealedBatch): Promise<'spooled' | 'lost'> };
  readonly ids: Ids;
  readonly maxBatch?: number;
  /** Appends under way at once. Beyond them scans gather, which is what makes a crowd share. */
  readonly maxInFlight?: number;
  /** The longest that a scan gathers before it is sent all the same. */
  readonly maxDelayMs?: number;
  readonly ackTimeoutMs?: number;
  readonly onEvent?: (event: WriterEvent) => void;
};

type Waiting = { readonly scan: Scan; readonly resolve: (kept: Kept) => void };

/** Scans without an answer that a process holds; more than this is shed and counted. */
const maxPending = 50_000;
const spoolTimeoutMs = 2000;
const resendTimeoutMs = 5000;
/** How long a log that failed to ack is left alone, unless a batch from the spool gets through before. */
const doubtMs = 1000;

/**
 * Group commit without waiting: a lone scan is appended at once; while appends are under way, scans gather and then
 * share one append and one ack. A batch keeps its id on every way it takes, so that whatever arrives twice is known.
 */
export function createScanWriter(options: WriterOptions): ScanWriter {
  const { log, spool, ids, maxBatch = 500, maxInFlight = 4, maxDelayMs = 10, ackTimeoutMs = 100 } = options;
  const { onEvent = () => undefined } = options;
  let waiting: Waiting[] = [];
  let pending = 0;
  let inFlight = 0;
  let scheduled = false;
  let overdue: NodeJS.Timeout | undefined;
  let doubtedUntil = 0;
  const drained: (() => void)[] = [];

  const trusted = () => log.available() && performance.now() >= doubtedUntil;

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
    if (group.length === 0) return;
    inFlight++;
    void commit(group).then(kept => {
      inFlight--;
      pending -= group.length;
      for (const { resolve } of group) resolve(kept);
      if (pending === 0) for (const resolve of drained.splice(0)) resolve();
      send();
    });
  }

  async function commit(group: readonly Waiting[]): Promise<Kept> {
    const scans = group.length;
    const began = performance.now();
    try {
      const batch = sealBatch({ id: ids.next(), scans: group.map(({ scan }) => scan) });
      const kept = await keep(batch);
      if (kept === 'lost') onEvent({ kind: 'lost', scans, why: 'nowhere' });
      else onEvent({ kind: kept, scans, ms: performance.now() - began });
      return kept;
    } catch {
      onEvent({ kind: 'lost', scans, why: 'broken' });
      return 'lost';
    }
  }

  async function keep(batch: SealedBatch): Promise<Kept> {
    const tried = trusted();
    if (tried && (await tryLog(batch))) return 'logged';
    const kept = await within(spoolTimeoutMs, spool.append(batch)).catch(() => 'lost' as const);
    if (kept === 'spooled') return 'spooled';
    // The disk is full or broken: then a log in doubt is better than nothing.
    return !tried && log.available() && (await tryLog(batch)) ? 'logged' : 'lost';
  }

  async function tryLog(batch: SealedBatch): Promise<boolean> {
    try {
      await log.append(batch, ackTimeoutMs);
      return true;
    } catch (error) {
      doubtedUntil = performance.now() + doubtMs;
      onEvent({ kind: 'log_doubted', error });
      return false;
    }
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
    async resend(batch) {
      await log.append(batch, resendTimeoutMs);
      doubtedUntil = 0;
    },
    pending: () => pending,
    busy: () => inFlight >= maxInFlight && waiting.length > 0,
    drained: () => new Promise(resolve => (pending === 0 ? resolve() : drained.push(resolve))),
  };
}
