import { setTimeout as pause } from 'node:timers/promises';
import { within } from '../kernel/within.ts';
import type { SealedBatch } from './batch.ts';
import type { AppendOptions, LogAppender } from './scan-log.ts';
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
    const first = !doubted && log.available() ? await tryLog(batch) : 'not_tried';
    if (first === 'logged') return 'logged';
    const kept = await within(spoolTimeoutMs, spool.append(batch)).catch(() => 'lost' as const);
    if (kept === 'spooled') return 'spooled';
    // The disk is full or broken: then a log in doubt, or one past its bound, is better than nothing.
    if (first === 'failed' || !log.available()) return 'lost';
    return (await tryLog(batch, { evenIfFull: true })) === 'logged' ? 'logged' : 'lost';
  }

  async function tryLog(batch: SealedBatch, options?: AppendOptions): Promise<'logged' | 'full' | 'failed'> {
    try {
      await log.append(batch, ackTimeoutMs, options);
      return 'logged';
    } catch (error) {
      const fault = error instanceof ScanLogError ? error.fault : null;
      if (!doubted && fault !== 'too_large') {
        doubted = true;
        onEvent({ kind: 'log_doubted', error });
        void probe(batch);
      }
      return fault === 'full' ? 'full' : 'failed';
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
