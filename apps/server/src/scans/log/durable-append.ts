import { setTimeout as pause } from 'node:timers/promises';
import { withTimeout } from '../../kernel/with-timeout.ts';
import type { EncodedBatch } from './batch.ts';
import type { AppendOptions, LogAppender } from './scan-log.ts';
import { ScanLogError } from './scan-log-error.ts';

/** Appends a batch to the log, or to the spool while the log does not ack in time. */
export type DurableAppend = {
  /** Never rejects. The batch has the same id in the log and in the spool, so duplicates are recognized. */
  append(batch: EncodedBatch): Promise<AppendOutcome>;
};

/** Where a scan is when its redirect may be sent. Lost: neither log nor disk took it; the redirect is sent anyway. */
export type AppendOutcome = 'logged' | 'spooled' | 'lost';

export type LogHealthEvent =
  /** An append failed: until the log acks in time again, batches go straight to the spool instead of timing out. */
  { readonly kind: 'log_unhealthy'; readonly error: unknown } | { readonly kind: 'log_recovered' };

type Options = {
  readonly log: LogAppender;
  readonly spool: { append(batch: EncodedBatch): Promise<'spooled' | 'lost'> };
  readonly ackTimeoutMs: number;
  readonly onEvent: (event: LogHealthEvent) => void;
};

const spoolTimeoutMs = 2000;
const probeEveryMs = 200;

export function createDurableAppend({ log, spool, ackTimeoutMs, onEvent }: Options): DurableAppend {
  let isUnhealthy = false;

  async function append(batch: EncodedBatch): Promise<AppendOutcome> {
    const first = !isUnhealthy && log.available() ? await tryLog(batch) : 'not_tried';
    if (first === 'logged') return 'logged';
    const outcome = await withTimeout(spoolTimeoutMs, spool.append(batch)).catch(() => 'lost' as const);
    if (outcome === 'spooled') return 'spooled';
    // The disk is full or broken: then an unhealthy log, or one past its limit, is better than nothing.
    if (first === 'failed' || !log.available()) return 'lost';
    return (await tryLog(batch, { evenIfFull: true })) === 'logged' ? 'logged' : 'lost';
  }

  async function tryLog(batch: EncodedBatch, options?: AppendOptions): Promise<'logged' | 'full' | 'failed'> {
    try {
      await log.append(batch, ackTimeoutMs, options);
      return 'logged';
    } catch (error) {
      const fault = error instanceof ScanLogError ? error.fault : null;
      if (!isUnhealthy && fault !== 'too_large') {
        isUnhealthy = true;
        onEvent({ kind: 'log_unhealthy', error });
        void probe(batch);
      }
      return fault === 'full' ? 'full' : 'failed';
    }
  }

  /** Resends the batch, with the same id, until the log acks it in time. Nothing waits for this. */
  async function probe(batch: EncodedBatch): Promise<void> {
    while (isUnhealthy) {
      await pause(probeEveryMs, undefined, { ref: false });
      if (!log.available()) continue;
      await log.append(batch, ackTimeoutMs).then(
        () => {
          isUnhealthy = false;
        },
        () => undefined,
      );
    }
    onEvent({ kind: 'log_recovered' });
  }

  return { append };
}
