import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { SealedBatch } from './batch.ts';
import type { Kept } from './batch-keeper.ts';
import { createScanWriter, type WriterEvent } from './group-commit.ts';
import type { Scan } from './scan.ts';
import type { LogAppender } from './scan-log.ts';
import { openSpool, type SpoolEvent, type SpoolStats } from './spool.ts';
import { drainSpool, type ReplayEvent, replaySpool } from './spool-replay.ts';

/** Keeps scans: in the log when it acks in time, else on the disk until it does. The one thing that a redirect holds. */
export type ScanKeeper = {
  /** Resolves when the scan is safe, or lost with an alarm. Never rejects. */
  write(scan: Scan): Promise<Kept>;
  /** Scans that have no answer yet. */
  pending(): number;
  spooled(): SpoolStats;
  /**
   * Resolves when every write has its answer and is where it was said to be. What is spooled is sent on for as long as
   * `drainMs` allows; what is left then, and is told, stays on the disk for the next process.
   */
  close(drainMs?: number): Promise<SpoolStats>;
};

export type KeeperEvent = WriterEvent | SpoolEvent | ReplayEvent;

export type KeeperOptions = {
  readonly log: LogAppender;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly spoolDir: string;
  readonly spoolMaxMb: number;
  readonly ackTimeoutMs?: number;
  readonly onEvent?: (event: KeeperEvent) => void;
};

/** Nobody waits for a replay: it has the patience for a log that is slow. */
const replayTimeoutMs = 5000;

/** The longest that a timer can be set for. */
const longestMs = 2 ** 31 - 1;

/** Who ends does not wait longer than this for a log that takes nothing. */
const endPatienceMs = 1500;

export async function openScanKeeper(options: KeeperOptions): Promise<ScanKeeper> {
  const { log, clock, ids, onEvent = () => undefined } = options;
  const maxBytes = options.spoolMaxMb * 1024 * 1024;
  const spool = await openSpool({ dir: options.spoolDir, maxBytes, clock, onEvent });
  const ackTimeoutMs = options.ackTimeoutMs ?? 100;
  const writer = createScanWriter({ log, spool, ids, ackTimeoutMs, onEvent });
  const ending = new AbortController();
  const { signal } = ending;
  const send = (batch: SealedBatch) => log.append(batch, replayTimeoutMs);
  const { busy } = writer;
  const replaying = replaySpool({ spool, send, busy, available: log.available, signal, onEvent });
  return {
    write: writer.write,
    pending: writer.pending,
    spooled: spool.stats,
    async close(drainMs = 0) {
      await writer.drained();
      ending.abort();
      await replaying;
      if (drainMs > 0 && spool.stats().segments > 0) {
        const limit = AbortSignal.timeout(Math.floor(Math.min(drainMs, longestMs)));
        await drainSpool({ spool, send, signal: limit, patienceMs: endPatienceMs, onEvent });
      }
      await spool.close();
      return spool.stats();
    },
  };
}
