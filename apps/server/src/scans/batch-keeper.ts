import { setTimeout as pause } from 'node:timers/promises';
import { within } from '../kernel/within.ts';
import type { SealedBatch } from './batch.ts';
import type { LogAppender } from './scan-log.ts';
import { ScanLogError } from './scan-log-error.ts';

/** Chooses the way of a batch: the log, or the spool while the log does not ack in time. */
export type BatchKeeper = {
  /** Never rejects. The batch keeps its id on every way, so that whatever arrives twice is known. */
  keep(batch: SealedBatch): Promise<Kept>;
};

/** Where a scan is when its answer may be sent. Lost: neither log nor disk took it; the redirect answers all the same. */
export type Kept = 'logged' | 'spooled' | 'lost';

export type DoubtEvent =
  /** An append failed: until the log acks in time again, batches go to the spool at once instead of waiting in vain. */
  { readonly kind: 'log_doubted'; readonly error: unknown } | { readonly kind: 'log_trusted' };

type Options = {
  readonly log: LogAppender;
  readonly spool: { append(batch: SealedBatch): Promise<'spooled' | 'lost'> };
  readonly ackTimeoutMs: number;
  readonly onEvent: (event: DoubtEvent) => void;
};

const spoolTimeoutMs = 2000;
const probeEveryMs = 200;

export function createBatchKeeper({ log, spool, ackTimeoutMs, onEvent }: Options): BatchKeeper {
  let doubted = false;

  async function keep(batch: SealedBatch): Promise<Kept> {
    const trusted = !doubted && log.available();
    if (trusted && (await tryLog(batch))) return 'logged';
    const kept = await within(spoolTimeoutMs, spool.append(batch)).catch(() => 'lost' as const);
    if (kept === 'spooled') return 'spooled';
    // The disk is full or broken: then a log in doubt is better than nothing.
    return !trusted && log.available() && (await tryLog(batch)) ? 'logged' : 'lost';
  }

  async function tryLog(batch: SealedBatch): Promise<boolean> {
    try {
      await log.append(batch, ackTimeoutMs);
      return true;
    } catch (error) {
      const atFault = error instanceof ScanLogError && error.fault === 'too_large';
      if (doubted || atFault) return false;
      doubted = true;
      onEvent({ kind: 'log_doubted', error });
      void probe(batch);
      return false;
    }
  }

  /** Sends the batch again, under its id, until the log acks it in time. Nobody waits for this. */
  async function probe(batch: SealedBatch): Promise<void> {
    while (doubted) {
      await pause(probeEveryMs, undefined, { ref: false });
      if (!log.available()) continue;
      await log.append(batch, ackTimeoutMs).then(
        () => {
          doubted = false;
        },
        () => undefined,
      );
    }
    onEvent({ kind: 'log_trusted' });
  }

  return { keep };
}
