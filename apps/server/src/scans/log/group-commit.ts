import type { Ids } from '../../kernel/ids.ts';
import { createRoundTrips } from '../../kernel/running/round-trips.ts';
import { type AppendEvent, createDurableAppend, type Disk, type Durability } from './durable-append.ts';
import { type EncodedBatch, newestVersion, type OpenBatch, openBatch } from './format/batch.ts';
import type { BatchVersion, EncodedScan } from './format/scan-bytes.ts';
import type { LogAppender } from './scan-log.ts';
import { createShardChooser, type ShardChooser } from './sharding.ts';

export type GroupCommit = {
  /** Copies the scan, and calls `onOutcome` when it is durable, held or lost; never before this returns. */
  write(scan: EncodedScan, onOutcome: OnOutcome): void;
  /** Scans without an outcome yet. */
  pending(): number;
  /** True while scans wait because `maxInFlight` appends are under way. */
  busy(): boolean;
  /** Resolves when every write is durable, held or lost, and no batch is on its way to the log any more. */
  drained(): Promise<void>;
  /** How long the log takes to ack, smoothed; null before the first ack. */
  roundTripMs(): number | null;
};

/** Must not throw. A callback, because a promise for each scan costs more than its share of the append. */
type OnOutcome = (outcome: Durability) => void;

export type GroupCommitOptions = {
  /** One for each shard of the log. */
  readonly appenders: readonly LogAppender[];
  readonly chooseShard?: ShardChooser;
  readonly spool: Disk;
  /** Holds a batch in memory; false if there is no room. */
  readonly hold: (batch: EncodedBatch) => boolean;
  readonly ids: Ids;
  /** The layout to write. */
  readonly version?: () => BatchVersion;
  readonly maxBatch?: number;
  /**
   * Concurrent appends, to all shards together; half as many as there are shards by default, rounded up. Beyond them scans
   * accumulate and then share an append: fewer give larger appends and longer waits. A slow append delays others by no more
   * than `maxDelayMs`.
   */
  readonly maxInFlight?: number;
  /** The longest that a scan waits before it is sent anyway. */
  readonly maxDelayMs?: number;
  readonly onEvent?: (event: AppendEvent) => void;
};

/** Scans of one shard that share an append. */
type Group = { readonly shard: number; readonly batch: OpenBatch; readonly onOutcomes: OnOutcome[] };

/** Scans without an outcome that a process holds; beyond this they are shed and counted as lost. */
const maxPending = 50_000;

/** The limits of the time that a log has for its ack: half a lease at most. */
const ackTimeouts = { minMs: 100, maxMs: 1000 };

/**
 * Group commit without a delay: a lone scan is appended at once; while appends are under way, scans accumulate and then
 * share one append and one ack, each with those of its shard. A batch has the same id in the log and in the spool, so
 * duplicates are recognized.
 */
export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { appenders, spool, hold, ids, maxBatch = 500, maxDelayMs = 10 } = options;
  const { maxInFlight = Math.ceil(appenders.length / 2) } = options;
  const { version = () => newestVersion, onEvent = () => undefined } = options;
  const { chooseShard = createShardChooser(appenders.length) } = options;
  const trips = createRoundTrips(ackTimeouts);
  // Each shard is healthy or not by itself: a full one does not send the scans of the others to the spool.
  const logs = appenders.map((log, shard) =>
    createDurableAppend({ log, shard, spool, hold, trips, onEvent }),
  );
  /** Not sent yet, of all shards, the oldest first. */
  const waiting: Group[] = [];
  /** For each shard the one of them that scans are added to. */
  const open: (Group | undefined)[] = appenders.map(() => undefined);
  const lastCounts = appenders.map(() => 1);
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
    while (waiting.length > 0) launch();
  }

  function launch(): void {
    const group = waiting.shift();
    if (waiting.length === 0) {
      clearTimeout(overdue);
      overdue = undefined;
    }
    if (group) commit(group);
  }

  function commit(group: Group): void {
    const { shard, batch, onOutcomes } = group;
    if (open[shard] === group) open[shard] = undefined;
    const scans = batch.count;
    lastCounts[shard] = scans;
    inFlight++;
    void logs[shard]!.append(batch.close(ids.next())).then(outcome => {
      inFlight--;
      pending -= scans;
      for (const onOutcome of onOutcomes) onOutcome(outcome);
      if (pending === 0) for (const resolve of drained.splice(0)) resolve();
      send();
    });
  }

  function groupForNext(shard: number): Group {
    const last = open[shard];
    if (last && last.batch.count < maxBatch) return last;
    const group = { shard, batch: openBatch(lastCounts[shard]!, version()), onOutcomes: [] };
    open[shard] = group;
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
      const group = groupForNext(chooseShard(scan.bytes));
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
      await Promise.all(logs.map(log => log.settled()));
    },
    roundTripMs: () => trips.smoothedMs,
  };
}
