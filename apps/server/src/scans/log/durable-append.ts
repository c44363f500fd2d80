import { setTimeout as pause } from 'node:timers/promises';
import type { Uuid } from '../../kernel/ids.ts';
import type { RoundTrips } from '../../kernel/running/round-trips.ts';
import { TimeoutError, withTimeout } from '../../kernel/running/with-timeout.ts';
import type { SpoolOutcome } from '../spool/spool.ts';
import { countScans, type EncodedBatch } from './format/batch.ts';
import type { AppendOptions, LogAppender } from './scan-log.ts';
import { ScanLogError } from './scan-log-error.ts';

/** Appends a batch to the log, or to the spool while the log does not ack in time, or holds it while the disk is full too. */
export type DurableAppend = {
  /**
   * Resolves when the batch is durable, held or lost; never rejects. The batch has the same id wherever it is stored, so
   * duplicates are recognized.
   */
  append(batch: EncodedBatch): Promise<Durability>;
  /** Resolves when every batch so far has its outcome. */
  settled(): Promise<void>;
};

/**
 * Where a scan is when its redirect may be sent. Journaled: on the disk of this machine, and on its way to a far log. Held: in
 * memory only, because neither log nor disk takes it. Lost: there is no room in memory either; the redirect is sent anyway.
 */
export type Durability = AppendOutcome | 'journaled';

/** Where a batch ended up. */
type AppendOutcome = 'logged' | 'spooled' | 'held' | 'lost';

export type AppendEvent =
  | { readonly kind: 'logged'; readonly scans: number; readonly ms: number }
  | { readonly kind: 'spooled'; readonly scans: number; readonly ms: number }
  | { readonly kind: 'held'; readonly scans: number; readonly ms: number }
  /** No store took the batch, or too many scans were pending. */
  | { readonly kind: 'lost'; readonly scans: number; readonly reason: 'no_store' | 'too_many_pending' }
  /** An append failed: until the log acks in time again, batches go straight to the spool instead of timing out. */
  | { readonly kind: 'log_unhealthy'; readonly shard: number; readonly error: unknown }
  | { readonly kind: 'log_recovered'; readonly shard: number };

export type Disk = {
  append(batch: EncodedBatch): Promise<SpoolOutcome>;
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
  /** Holds a batch in memory; false if there is no room. */
  readonly hold: (batch: EncodedBatch) => boolean;
  /** The time that the log takes to ack. */
  readonly trips: RoundTrips;
  readonly onEvent: (event: AppendEvent) => void;
};

/** A batch on its way. */
type Attempt = {
  readonly batch: EncodedBatch;
  readonly startedMs: number;
  /** Writes to the local disk that took longer than the scanner waits, and whether they stored the batch in the end. */
  readonly late: Promise<boolean>[];
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

export function createDurableAppend({ log, shard, spool, hold, trips, onEvent }: Options): DurableAppend {
  let isUnhealthy = false;
  /** Whether the last failure was no answer at all. */
  let isSilent = false;
  let isProbing = false;
  const unsettled = new Set<Promise<unknown>>();

  /** False before the first ack: nothing is known of the log. */
  const isNear = () => log.isLocal || (trips.smoothedMs !== null && trips.smoothedMs <= nearMs);
  const nearPatienceMs = log.isLocal ? localPatienceMs : patienceMs;

  async function append(batch: EncodedBatch): Promise<Durability> {
    const attempt = { batch, startedMs: performance.now(), late: [] };
    if (isUnhealthy || !log.available()) return finish(attempt, await store(attempt, 'not_tried'));
    if (isNear()) {
      const acked = await tryLog(attempt, nearPatienceMs);
      return finish(attempt, acked === 'logged' ? acked : await store(attempt, acked));
    }
    return appendFar(attempt);
  }

  /** The first of the ack and the copy on the disk decides when the batch is durable, and the ack where it ends up. */
  async function appendFar(attempt: Attempt): Promise<Durability> {
    const { batch } = attempt;
    const copied = spool.journal.keep(batch);
    const stored = tryLog(attempt, trips.timeoutMs()).then(acked =>
      acked === 'logged' ? acked : store(attempt, acked),
    );
    const outcome = stored.then(async place =>
      // To the next process a copy that stays looks like the spool.
      finish(attempt, place === 'lost' && (await copied) === 'kept' ? 'spooled' : place),
    );
    settleLater(
      Promise.all([stored, copied, outcome]).then(([place, copy]) => {
        // If nothing else took the batch, the copy stays for the next process.
        if (copy === 'kept' && (place === 'logged' || place === 'spooled')) spool.journal.discard(batch.id);
      }),
    );
    return Promise.race([outcome, copied.then(kept => (kept === 'kept' ? 'journaled' : outcome))]);
  }

  function settleLater(work: Promise<unknown>): void {
    unsettled.add(work);
    void work.finally(() => unsettled.delete(work));
  }

  function finish(attempt: Attempt, outcome: AppendOutcome): AppendOutcome {
    const { batch, late } = attempt;
    if (outcome === 'lost' && late.length > 0) {
      settleLater(
        Promise.all(late).then(stored => report(attempt, stored.includes(true) ? 'spooled' : 'lost')),
      );
      return 'held';
    }
    report(attempt, outcome);
    // A lost batch must not get into the log after all: it is counted as lost.
    if (isUnhealthy && !isProbing && outcome !== 'lost') void probe(batch);
    return outcome;
  }

  function report({ batch, startedMs }: Attempt, outcome: AppendOutcome): void {
    const scans = countScans(batch.bytes);
    if (outcome === 'lost') onEvent({ kind: 'lost', scans, reason: 'no_store' });
    else onEvent({ kind: outcome, scans, ms: performance.now() - startedMs });
  }

  /** For a batch that the log did not take. */
  async function store(attempt: Attempt, first: 'full' | 'failed' | 'not_tried'): Promise<AppendOutcome> {
    const { batch } = attempt;
    if (!log.isLocal && (await trySpool(attempt))) return 'spooled';
    // The disk is full or broken: then an unhealthy log, or one past its limit, is better than memory. Only the probe waits for
    // one that is silent.
    if (first !== 'failed' && log.available() && !(isSilent && isProbing)) {
      const patience = log.isLocal ? localPatienceMs : Math.max(patienceMs, trips.timeoutMs());
      if ((await tryLog(attempt, patience, { evenIfFull: true })) === 'logged') return 'logged';
    }
    return hold(batch) ? 'held' : 'lost';
  }

  async function trySpool({ batch, late }: Attempt): Promise<boolean> {
    const writing = spool.append(batch).then(outcome => outcome === 'spooled');
    return withTimeout(spoolTimeoutMs, writing).catch(() => {
      late.push(writing);
      return false;
    });
  }

  async function tryLog(
    attempt: Attempt,
    timeoutMs: number,
    options?: AppendOptions,
  ): Promise<'logged' | 'full' | 'failed'> {
    try {
      await measuredAppend(attempt, timeoutMs, options);
      return 'logged';
    } catch (error) {
      const fault = error instanceof ScanLogError ? error.fault : null;
      isSilent = error instanceof TimeoutError;
      if (!isUnhealthy && fault !== 'too_large') {
        isUnhealthy = true;
        onEvent({ kind: 'log_unhealthy', shard, error });
      }
      return fault === 'full' ? 'full' : 'failed';
    }
  }

  async function measuredAppend({ batch, late }: Attempt, timeoutMs: number, options?: AppendOptions) {
    const sentMs = performance.now();
    const appending = log.append(batch, timeoutMs, options);
    try {
      await (log.isLocal ? withTimeout(timeoutMs, appending) : appending);
    } catch (error) {
      if (error instanceof TimeoutError) {
        trips.missed();
        if (log.isLocal)
          late.push(
            appending.then(
              () => true,
              () => false,
            ),
          );
      }
      throw error;
    }
    trips.observe(performance.now() - sentMs);
  }

  /** Resends the batch, with the same id, until the log acks it. Nothing waits for this. */
  async function probe(batch: EncodedBatch): Promise<void> {
    isProbing = true;
    while (isUnhealthy) {
      await pause(probeEveryMs, undefined, { ref: false });
      if (!log.available()) continue;
      await measuredAppend({ batch, startedMs: 0, late: [] }, probeMs).then(
        () => {
          isUnhealthy = false;
          isSilent = false;
        },
        () => undefined,
      );
    }
    isProbing = false;
    onEvent({ kind: 'log_recovered', shard });
  }

  return {
    append,
    async settled() {
      await Promise.all(unsettled);
    },
  };
}
