import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import { createHeldBatches, type HeldBatches, type HeldEvent } from './held-batches.ts';
import type { AppendEvent } from './log/durable-append.ts';
import type { EncodedBatch } from './log/format/batch.ts';
import type { BatchVersion } from './log/format/scan-bytes.ts';
import { createGroupCommit, type GroupCommit } from './log/group-commit.ts';
import type { LogAppender } from './log/scan-log.ts';
import { ScanLogError } from './log/scan-log-error.ts';
import { chooseBatchShard, createShardChooser, type SpreadLookup } from './log/sharding.ts';
import { drainSpool, type ReplayEvent, replaySpool } from './spool/replay.ts';
import { openSpool, type Spool, type SpoolEvent, type SpoolStats } from './spool/spool.ts';

/**
 * Writes scans durably: to the log if it acks in time, else to the spool on disk until it does. If the disk is full too, they
 * wait in memory for either.
 */
export type ScanWriter = Pick<GroupCommit, 'write' | 'pending' | 'roundTripMs'> & {
  spooled(): SpoolStats;
  /** What is in memory only. */
  held: HeldBatches['stats'];
  /**
   * Resolves when every write has its outcome. Spooled batches are then sent for up to `drainMs`; the rest stays on disk
   * for the next process, and is returned. What is still in memory only is lost.
   */
  close(drainMs?: number): Promise<SpoolStats>;
};

export type ScanWriterEvent = AppendEvent | HeldEvent | SpoolEvent | ReplayEvent;

export type ScanWriterOptions = {
  /** One for each shard of the log. */
  readonly appenders: readonly LogAppender[];
  readonly getSpread?: SpreadLookup | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly spoolDir: string;
  readonly spoolMaxMb: number;
  /** Memory for what neither log nor disk takes. */
  readonly memoryMb?: number;
  /** The layout to write; the newest by default. */
  readonly version?: () => BatchVersion;
  readonly onEvent?: (event: ScanWriterEvent) => void;
};

/** No request waits for a replay, so it tolerates a slow log. */
const replayTimeoutMs = 5000;

/** The longest delay of a timer. */
const maxTimerMs = 2 ** 31 - 1;

/** A drain at shutdown gives up if the log acks nothing for this long. */
const drainIdleMs = 1500;

export async function openScanWriter(options: ScanWriterOptions): Promise<ScanWriter> {
  const { appenders, clock, ids, onEvent = () => undefined } = options;
  const maxBytes = options.spoolMaxMb * 1024 * 1024;
  const spool = await openSpool({ dir: options.spoolDir, maxBytes, clock, onEvent });
  const chooseShard = createShardChooser(appenders.length, options.getSpread);
  const logFor = (batch: EncodedBatch) => appenders[chooseBatchShard(batch.bytes, chooseShard)]!;
  const held = createHeldBatches({
    maxBytes: (options.memoryMb ?? 32) * 1024 * 1024,
    store: batch => storeHeld(batch, logFor(batch), spool),
    onEvent,
  });
  const commits = createGroupCommit({
    appenders,
    chooseShard,
    spool,
    hold: held.hold,
    ids,
    onEvent,
    ...(options.version ? { version: options.version } : {}),
  });
  const stopping = new AbortController();
  const { signal } = stopping;
  const send = (batch: EncodedBatch) => logFor(batch).append(batch, replayTimeoutMs);
  const { busy } = commits;
  const available = () => appenders.some(log => log.available());
  const replaying = replaySpool({ spool, send, busy, available, signal, onEvent });
  return {
    write: commits.write,
    pending: commits.pending,
    roundTripMs: commits.roundTripMs,
    spooled: () => spool.stats(),
    held: held.stats,
    async close(drainMs = 0) {
      await commits.drained();
      const startedMs = performance.now();
      await held.close();
      stopping.abort();
      await replaying;
      const leftMs = drainMs - (performance.now() - startedMs);
      if (leftMs > 0 && spool.stats().segments > 0) {
        const limit = AbortSignal.timeout(Math.floor(Math.min(leftMs, maxTimerMs)));
        await drainSpool({ spool, send, signal: limit, idleTimeoutMs: drainIdleMs, onEvent });
      }
      await spool.close();
      return spool.stats();
    },
  };
}

/** The disk first: it answers soonest, and from there a batch is sent like any other. */
async function storeHeld(batch: EncodedBatch, log: LogAppender, spool: Pick<Spool, 'append'>) {
  if (!log.isLocal && (await spool.append(batch)) === 'spooled') return 'stored';
  if (!log.available()) return 'failed';
  return log.append(batch, replayTimeoutMs).then(
    () => 'stored' as const,
    error => (error instanceof ScanLogError && error.fault === 'too_large' ? 'unstorable' : 'failed'),
  );
}
