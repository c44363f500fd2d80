import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { EncodedBatch } from './log/batch.ts';
import type { AppendEvent } from './log/durable-append.ts';
import { createGroupCommit, type GroupCommit } from './log/group-commit.ts';
import type { BatchVersion } from './log/scan-bytes.ts';
import type { LogAppender } from './log/scan-log.ts';
import { createShardOf, type SpreadOf, shardOfBatch } from './log/sharding.ts';
import { drainSpool, type ReplayEvent, replaySpool } from './spool/replay.ts';
import { openSpool, type SpoolEvent, type SpoolStats } from './spool/spool.ts';

/** Writes scans durably: to the log if it acks in time, else to the spool on disk until it does. */
export type ScanWriter = Pick<GroupCommit, 'write' | 'pending' | 'roundTripMs'> & {
  spooled(): SpoolStats;
  /**
   * Resolves when every write has its outcome. Spooled batches are then sent for up to `drainMs`; the rest stays on disk
   * for the next process, and is returned.
   */
  close(drainMs?: number): Promise<SpoolStats>;
};

export type ScanWriterEvent = AppendEvent | SpoolEvent | ReplayEvent;

export type ScanWriterOptions = {
  /** One for each shard of the log. */
  readonly appenders: readonly LogAppender[];
  readonly spreadOf?: SpreadOf | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly spoolDir: string;
  readonly spoolMaxMb: number;
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
  const shardOf = createShardOf(appenders.length, options.spreadOf);
  const commits = createGroupCommit({
    appenders,
    shardOf,
    spool,
    ids,
    onEvent,
    ...(options.version ? { version: options.version } : {}),
  });
  const stopping = new AbortController();
  const { signal } = stopping;
  const send = (batch: EncodedBatch) =>
    appenders[shardOfBatch(batch.bytes, shardOf)]!.append(batch, replayTimeoutMs);
  const { busy } = commits;
  const available = () => appenders.some(log => log.available());
  const replaying = replaySpool({ spool, send, busy, available, signal, onEvent });
  return {
    write: commits.write,
    pending: commits.pending,
    roundTripMs: commits.roundTripMs,
    spooled: () => spool.stats(),
    async close(drainMs = 0) {
      await commits.drained();
      stopping.abort();
      await replaying;
      if (drainMs > 0 && spool.stats().segments > 0) {
        const limit = AbortSignal.timeout(Math.floor(Math.min(drainMs, maxTimerMs)));
        await drainSpool({ spool, send, signal: limit, idleTimeoutMs: drainIdleMs, onEvent });
      }
      await spool.close();
      return spool.stats();
    },
  };
}
