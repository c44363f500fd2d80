import type { Ids } from '../../kernel/ids.ts';
import { createRoundTrips } from '../../kernel/round-trips.ts';
import { newestVersion, type OpenBatch, openBatch } from './batch.ts';
import { type AppendEvent, createDurableAppend, type Disk, type Durability } from './durable-append.ts';
import type { BatchVersion, EncodedScan } from './scan-bytes.ts';
import type { LogAppender } from './scan-log.ts';

export type GroupCommit = {
  /** Copies the scan, and calls `onOutcome` when it is durable or lost; never before this returns. */
  write(scan: EncodedScan, onOutcome: OnOutcome): void;
  /** Scans without an outcome yet. */
  pending(): number;
  /** True while scans wait because `maxInFlight` appends are under way. */
  busy(): boolean;
  /** Resolves when every write is durable, or lost, and no batch is on its way to the log any more. */
  drained(): Promise<void>;
  /** How long the log takes to ack, smoothed; null before the first ack. */
  roundTripMs(): number | null;
};

/** Must not throw. A callback, because a promise for each scan costs more than its share of the append. */
type OnOutcome = (outcome: Durability) => void;

export type GroupCommitOptions = {
  readonly log: LogAppender;
  readonly spool: Disk;
  readonly ids: Ids;
  /** The layout to write. */
  readonly version?: () => BatchVersion;
  readonly maxBatch?: number;
  /**
   * Concurrent appends. Beyond them scans accumulate and then share an append: 1 gives the fewest and largest appends,
   * and a slow append delays the next by no more than `maxDelayMs`.
   */
  readonly maxInFlight?: number;
  /** The longest that a scan waits before it is sent anyway. */
  readonly maxDelayMs?: number;
  readonly onEvent?: (event: AppendEvent) => void;
};

/** Scans that share an append. */
type Group = { readonly batch: OpenBatch; readonly onOutcomes: OnOutcome[] };

/** Scans without an outcome that a process holds; beyond this they are shed and counted as lost. */
const maxPending = 50_000;

/** The limits of the time that a log has for its ack: half a lease at most. */
const ackTimeouts = { minMs: 100, maxMs: 1000 };

/**
 * Group commit without a delay: a lone scan is appended at once; while appends are under way, scans accumulate and then
 * share one append and one ack. A batch has the same id in the log and in the spool, so duplicates are recognized.
 */
export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { log, spool, ids, maxBatch = 500, maxInFlight = 1, maxDelayMs = 10 } = options;
  const { version = () => newestVersion, onEvent = () => undefined } = options;
  const trips = createRoundTrips(ackTimeouts);
  const { append, settled } = createDurableAppend({ log, spool, trips, onEvent });
  /** Not sent yet. Scans are added to the last. */
  const waiting: Group[] = [];
  let lastCount = 1;
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
    const group = waiting.shift();
    if (waiting.length === 0) {
      clearTimeout(overdue);
      overdue = undefined;
    }
    if (group) commit(group);
  }

  function commit({ batch, onOutcomes }: Group): void {
    const scans = batch.count;
    lastCount = scans;
    inFlight++;
    void append(batch.close(ids.next())).then(outcome => {
      inFlight--;
      pending -= scans;
      for (const onOutcome of onOutcomes) onOutcome(outcome);
      if (pending === 0) for (const resolve of drained.splice(0)) resolve();
      send();
    });
  }

  function groupForNext(): Group {
    const last = waiting.at(-1);
    if (last && last.batch.count < maxBatch) return last;
    const group = { batch: openBatch(lastCount, version()), onOutcomes: [] };
    waiting.push(group);
    return group;
  }

  return {
    write(scan, onOutcome) {
      if (pending >= maxPending) {
        onEvent({ kind: 'lost', scans: 1, reason: 'too_many_pending' });
        queueMicrotask(() => onOutcome('lost'));
        return;
      }
      pending++;
      const group = groupForNext();
      group.batch.add(scan);
      group.onOutcomes.push(onOutcome);
      if (scheduled) return;
      if (inFlight >= maxInFlight) {
        overdue ??= setTimeout(sendOverdue, maxDelayMs);
        return;
      }
      scheduled = true;
      // Requests that arrived in the same turn of the event loop share the first append.
      setImmediate(send);
    },
    pending: () => pending,
    busy: () => inFlight >= maxInFlight && waiting.length > 0,
    async drained() {
      await new Promise<void>(resolve => (pending === 0 ? resolve() : drained.push(resolve)));
      await settled();
    },
    roundTripMs: () => trips.smoothedMs,
  };
}
