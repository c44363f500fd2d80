import { setTimeout as pause } from 'node:timers/promises';
import type { Uuid } from '../../kernel/ids.ts';
import type { RoundTrips } from '../../kernel/round-trips.ts';
import { TimeoutError, withTimeout } from '../../kernel/with-timeout.ts';
import { type EncodedBatch, scansIn } from './batch.ts';
import type { AppendOptions, LogAppender } from './scan-log.ts';
import { ScanLogError } from './scan-log-error.ts';

/** Appends a batch to the log, or to the spool while the log does not ack in time. */
export type DurableAppend = {
  /**
   * Resolves when the batch is durable, or lost; never rejects. The batch has the same id wherever it is stored, so duplicates
   * are recognized.
   */
  append(batch: EncodedBatch): Promise<Durability>;
  /** Resolves when every batch so far has its outcome. */
  settled(): Promise<void>;
};

/**
 * Where a scan is when its redirect may be sent. Journaled: on the disk of this machine, and on its way to a far log. Lost:
 * neither log nor disk took it; the redirect is sent anyway.
 */
export type Durability = AppendOutcome | 'journaled';

/** Where a batch ended up. */
type AppendOutcome = 'logged' | 'spooled' | 'lost';

export type AppendEvent =
  | { readonly kind: 'logged'; readonly scans: number; readonly ms: number }
  | { readonly kind: 'spooled'; readonly scans: number; readonly ms: number }
  /** No store took the batch, or too many scans were pending. */
  | { readonly kind: 'lost'; readonly scans: number; readonly reason: 'no_store' | 'too_many_pending' }
  /** An append failed: until the log acks in time again, batches go straight to the spool instead of timing out. */
  | { readonly kind: 'log_unhealthy'; readonly shard: number; readonly error: unknown }
  | { readonly kind: 'log_recovered'; readonly shard: number };

export type Disk = {
  append(batch: EncodedBatch): Promise<'spooled' | 'lost'>;
  readonly journal: {
    keep(batch: EncodedBatch): Promise<'kept' | 'lost'>;
    discard(id: Uuid): void;
  };
};

type Options = {
  readonly log: LogAppender;
  /** The shard of the log that it appends to. */
  readonly shard: number;
  readonly spool: Disk;
  /** The time that the log takes to ack. */
  readonly trips: RoundTrips;
  readonly onEvent: (event: AppendEvent) => void;
};

/** How long a scanner waits for a log that usually acks at once. */
const patienceMs = 100;
/** The disk of this machine has nothing faster beside it: a scanner waits for it, but not for one that hangs. */
const localPatienceMs = 1_000;
/** A log that takes longer than this is far: scanners wait for a copy on the disk instead. */
const nearMs = patienceMs / 2;
const spoolTimeoutMs = 2000;
const probeEveryMs = 200;
/** A probe measures a log that became slower: nothing waits for it. */
const probeMs = 1000;

export function createDurableAppend({ log, shard, spool, trips, onEvent }: Options): DurableAppend {
  let isUnhealthy = false;
  const unsettled = new Set<Promise<unknown>>();

  /** False before the first ack: nothing is known of the log. */
  const isNear = () => log.isLocal || (trips.smoothedMs !== null && trips.smoothedMs <= nearMs);
  const nearPatienceMs = log.isLocal ? localPatienceMs : patienceMs;

  async function append(batch: EncodedBatch): Promise<Durability> {
    const startedMs = performance.now();
    if (isUnhealthy || !log.available()) return finish(batch, startedMs, await store(batch, 'not_tried'));
    if (isNear()) {
      const acked = await tryLog(batch, nearPatienceMs);
      return finish(batch, startedMs, acked === 'logged' ? acked : await store(batch, acked));
    }
    return appendFar(batch, startedMs);
  }

  /** The first of the ack and the copy on the disk decides when the batch is durable, and the ack where it ends up. */
  async function appendFar(batch: EncodedBatch, startedMs: number): Promise<Durability> {
    const copied = spool.journal.keep(batch);
    const outcome = tryLog(batch, trips.timeoutMs()).then(async acked =>
      finish(batch, startedMs, acked === 'logged' ? acked : await store(batch, acked)),
    );
    settleLater(
      Promise.all([outcome, copied]).then(([stored, copy]) => {
        // If nothing else took the batch, the copy stays for the next process.
        if (copy === 'kept' && stored !== 'lost') spool.journal.discard(batch.id);
      }),
    );
    return Promise.race([outcome, copied.then(kept => (kept === 'kept' ? 'journaled' : outcome))]);
  }

  function settleLater(work: Promise<unknown>): void {
    unsettled.add(work);
    void work.finally(() => unsettled.delete(work));
  }

  function finish(batch: EncodedBatch, startedMs: number, outcome: AppendOutcome): AppendOutcome {
    const scans = scansIn(batch.bytes);
    if (outcome === 'lost') onEvent({ kind: 'lost', scans, reason: 'no_store' });
    else onEvent({ kind: outcome, scans, ms: performance.now() - startedMs });
    return outcome;
  }

  /** For a batch that the log did not take. */
  async function store(batch: EncodedBatch, first: 'full' | 'failed' | 'not_tried'): Promise<AppendOutcome> {
    const outcome = await withTimeout(spoolTimeoutMs, spool.append(batch)).catch(() => 'lost' as const);
    if (outcome === 'spooled') return 'spooled';
    // The disk is full or broken: then an unhealthy log, or one past its limit, is better than nothing.
    if (first === 'failed' || !log.available()) return 'lost';
    const second = await tryLog(batch, Math.max(patienceMs, trips.timeoutMs()), { evenIfFull: true });
    return second === 'logged' ? 'logged' : 'lost';
  }

  async function tryLog(
    batch: EncodedBatch,
    timeoutMs: number,
    options?: AppendOptions,
  ): Promise<'logged' | 'full' | 'failed'> {
    try {
      await measuredAppend(batch, timeoutMs, options);
      return 'logged';
    } catch (error) {
      const fault = error instanceof ScanLogError ? error.fault : null;
      if (!isUnhealthy && fault !== 'too_large') {
        isUnhealthy = true;
        onEvent({ kind: 'log_unhealthy', shard, error });
        void probe(batch);
      }
      return fault === 'full' ? 'full' : 'failed';
    }
  }

  async function measuredAppend(batch: EncodedBatch, timeoutMs: number, options?: AppendOptions) {
    const sentMs = performance.now();
    try {
      await log.append(batch, timeoutMs, options);
    } catch (error) {
      if (error instanceof TimeoutError) trips.missed();
      throw error;
    }
    trips.observe(performance.now() - sentMs);
  }

  /** Resends the batch, with the same id, until the log acks it. Nothing waits for this. */
  async function probe(batch: EncodedBatch): Promise<void> {
    while (isUnhealthy) {
      await pause(probeEveryMs, undefined, { ref: false });
      if (!log.available()) continue;
      await measuredAppend(batch, probeMs).then(
        () => {
          isUnhealthy = false;
        },
        () => undefined,
      );
    }
    onEvent({ kind: 'log_recovered', shard });
  }

  return {
    append,
    async settled() {
      await Promise.all(unsettled);
    },
  };
}
