import type { Ids } from '../../kernel/ids.ts';
import type { Scan } from '../scan.ts';
import { type EncodedBatch, encodeBatch } from './batch.ts';
import { type AppendOutcome, createDurableAppend, type LogHealthEvent } from './durable-append.ts';
import type { LogAppender } from './scan-log.ts';

export type GroupCommit = {
  /** Never rejects. */
  write(scan: Scan): Promise<AppendOutcome>;
  /** Scans without an outcome yet. */
  pending(): number;
  /** True while scans wait because `maxInFlight` appends are under way. */
  busy(): boolean;
  /** Resolves when every write has its outcome. */
  drained(): Promise<void>;
};

export type GroupCommitEvent =
  | LogHealthEvent
  | { readonly kind: 'logged'; readonly scans: number; readonly ms: number }
  | { readonly kind: 'spooled'; readonly scans: number; readonly ms: number }
  | { readonly kind: 'lost'; readonly scans: number; readonly reason: LossReason };

/** No store took the batch; too many scans were pending; or the scan could not be encoded. */
type LossReason = 'no_store' | 'too_many_pending' | 'not_encodable';

export type GroupCommitOptions = {
  readonly log: LogAppender;
  readonly spool: { append(batch: EncodedBatch): Promise<'spooled' | 'lost'> };
  readonly ids: Ids;
  readonly maxBatch?: number;
  /**
   * Concurrent appends. Beyond them scans accumulate and then share an append: 1 gives the fewest and largest appends,
   * and a slow append delays the next by no more than `maxDelayMs`.
   */
  readonly maxInFlight?: number;
  /** The longest that a scan waits before it is sent anyway. */
  readonly maxDelayMs?: number;
  readonly ackTimeoutMs?: number;
  readonly onEvent?: (event: GroupCommitEvent) => void;
};

type Waiting = { readonly scan: Scan; readonly resolve: (outcome: AppendOutcome) => void };

/** Scans without an outcome that a process holds; beyond this they are shed and counted as lost. */
const maxPending = 50_000;

/**
 * Group commit without a delay: a lone scan is appended at once; while appends are under way, scans accumulate and then
 * share one append and one ack. A batch has the same id in the log and in the spool, so duplicates are recognized.
 */
export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { log, spool, ids, maxBatch = 500, maxInFlight = 1, maxDelayMs = 10, ackTimeoutMs = 100 } = options;
  const { onEvent = () => undefined } = options;
  const { append } = createDurableAppend({ log, spool, ackTimeoutMs, onEvent });
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
    const batch = encode(group);
    if (batch) {
      const startedMs = performance.now();
      inFlight++;
      void append(batch).then(outcome => {
        inFlight--;
        if (outcome === 'lost') onEvent({ kind: 'lost', scans: group.length, reason: 'no_store' });
        else onEvent({ kind: outcome, scans: group.length, ms: performance.now() - startedMs });
        settle(group, outcome);
        send();
      });
    } else if (group.length === 1) {
      onEvent({ kind: 'lost', scans: 1, reason: 'not_encodable' });
      settle(group, 'lost');
    } else {
      // One scan that cannot be encoded must not lose the others.
      for (const single of group) commit([single]);
    }
  }

  function encode(group: readonly Waiting[]): EncodedBatch | null {
    try {
      return encodeBatch({ id: ids.next(), scans: group.map(({ scan }) => scan) });
    } catch {
      return null;
    }
  }

  function settle(group: readonly Waiting[], outcome: AppendOutcome): void {
    pending -= group.length;
    for (const { resolve } of group) resolve(outcome);
    if (pending === 0) for (const resolve of drained.splice(0)) resolve();
  }

  return {
    write(scan) {
      if (pending >= maxPending) {
        onEvent({ kind: 'lost', scans: 1, reason: 'too_many_pending' });
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
        // Requests that arrived in the same turn of the event loop share the first append.
        setImmediate(send);
      });
    },
    pending: () => pending,
    busy: () => inFlight >= maxInFlight && waiting.length > 0,
    drained: () => new Promise(resolve => (pending === 0 ? resolve() : drained.push(resolve))),
  };
}
