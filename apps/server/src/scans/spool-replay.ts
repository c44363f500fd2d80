import { setTimeout as pause } from 'node:timers/promises';
import { orAborted } from '../kernel/or-aborted.ts';
import { type SealedBatch, sealedFrom } from './batch.ts';
import { ScanLogError } from './scan-log-error.ts';
import type { Spool, SpoolEvent, SpoolSegment } from './spool.ts';

export type ReplayEvent =
  | { readonly kind: 'replayed'; readonly batches: number; readonly bytes: number }
  /** Batches that the log will never take, or that are none. */
  | { readonly kind: 'replay_refused'; readonly batches: number; readonly segment: string }
  /** Batches that a newer version wrote: their segment stays on the disk for one that knows them. */
  | { readonly kind: 'replay_unknown'; readonly batches: number; readonly segment: string };

export type ReplayOptions = {
  readonly spool: Spool;
  /** Sends a batch on; resolves when the log has acked it. */
  readonly send: (batch: SealedBatch) => Promise<void>;
  /** False while it is of no use to try. */
  readonly available: () => boolean;
  /** True while live scans wait for the log: they go first. */
  readonly busy: () => boolean;
  readonly signal: AbortSignal;
  readonly onEvent?: (event: ReplayEvent | SpoolEvent) => void;
  readonly adoptEveryMs?: number;
};

export type DrainOptions = Pick<ReplayOptions, 'spool' | 'send' | 'signal' | 'onEvent'> & {
  readonly patienceMs: number;
};

const idleMs = 50;
const retryMs = 250;
const atOnce = 16;
const yieldMs = 2;
/** Live scans go first, but a log that is never idle must not keep the spool from being sent on. */
const mostYields = 20;

/**
 * Sends on what is spooled, oldest first, until the signal aborts. A segment is deleted when the log has acked all of
 * it; ended before that, it is sent again from its start, and its batch ids tell what is there already.
 */
export async function replaySpool(options: ReplayOptions): Promise<void> {
  await Promise.all([sendOn(options), adoptNowAndThen(options)]);
}

/** Beside the sending: a log that takes nothing must not keep what other processes left from being taken over. */
async function adoptNowAndThen(options: ReplayOptions): Promise<void> {
  const { spool, signal, onEvent = () => undefined, adoptEveryMs = 30_000 } = options;
  for (await rest(adoptEveryMs, signal); !signal.aborted; await rest(adoptEveryMs, signal))
    await spool.adopt().catch(error => onEvent({ kind: 'spool_failed', error }));
}

async function sendOn(options: ReplayOptions): Promise<void> {
  const { spool, available, signal, onEvent = () => undefined } = options;
  /** Segments that the disk does not give or does not let go of, or that stay; one of them would hold up all others. */
  const skip = new Set<string>();
  while (!signal.aborted) {
    let segment: SpoolSegment | null = null;
    try {
      if (available()) segment = await spool.oldest(skip);
      if (segment && (await replaySegment(segment, options)) === 'kept') skip.add(segment.name);
      if (!segment) await rest(idleMs, signal);
    } catch (error) {
      if (segment) skip.add(segment.name);
      onEvent({ kind: 'spool_failed', error });
      await rest(retryMs, signal);
    }
  }
}

/**
 * Sends on what is spooled, once, oldest first, and resolves when nothing is left that can be sent. It gives up when the
 * log has acked nothing for `patienceMs`, or when the signal aborts.
 */
export async function drainSpool(options: DrainOptions): Promise<void> {
  const { spool, patienceMs, onEvent = () => undefined } = options;
  const givingUp = new AbortController();
  const signal = AbortSignal.any([options.signal, givingUp.signal]);
  let patience = setTimeout(() => givingUp.abort(), patienceMs);
  async function send(batch: SealedBatch): Promise<void> {
    await options.send(batch);
    clearTimeout(patience);
    // An ack that comes after the end has nothing to wait for.
    if (!signal.aborted) patience = setTimeout(() => givingUp.abort(), patienceMs);
  }
  // There are no live scans any more that would go first.
  const replay = { ...options, send, signal, available: () => true, busy: () => false };
  const skip = new Set<string>();
  try {
    for (let segment = await spool.oldest(); segment && !signal.aborted; segment = await spool.oldest(skip)) {
      try {
        if ((await replaySegment(segment, replay)) === 'kept') skip.add(segment.name);
      } catch (error) {
        skip.add(segment.name);
        onEvent({ kind: 'spool_failed', error });
      }
    }
  } finally {
    clearTimeout(patience);
  }
}

async function replaySegment(
  segment: SpoolSegment,
  options: ReplayOptions,
): Promise<'sent' | 'kept' | 'ended'> {
  const { spool, signal, onEvent = () => undefined } = options;
  const { records, tornBytes, damaged } = await segment.read();
  if (tornBytes + damaged > 0) onEvent({ kind: 'spool_damaged', segment: segment.name, tornBytes, damaged });
  const found = records.map(sealedFrom);
  const batches = found.filter(one => typeof one !== 'string');
  const unknown = found.filter(one => one === 'unknown_version').length;
  let refused = found.filter(one => one === 'too_short').length;
  let unsent: readonly SealedBatch[] = batches;
  while (unsent.length > 0 && !signal.aborted) {
    await letLiveGoFirst(options);
    const sending = Promise.all(unsent.slice(0, atOnce).map(batch => sendOne(batch, options)));
    const outcomes = await orAborted(sending, signal);
    if (!outcomes) return 'ended';
    refused += outcomes.filter(({ outcome }) => outcome === 'refused').length;
    const failed = outcomes.filter(({ outcome }) => outcome === 'failed').map(({ batch }) => batch);
    unsent = [...failed, ...unsent.slice(atOnce)];
    if (failed.length > 0) await rest(retryMs, signal);
  }
  if (unsent.length > 0) return 'ended';
  if (refused > 0) onEvent({ kind: 'replay_refused', batches: refused, segment: segment.name });
  if (unknown > 0) {
    onEvent({ kind: 'replay_unknown', batches: unknown, segment: segment.name });
    return 'kept';
  }
  await spool.remove(segment);
  onEvent({ kind: 'replayed', batches: batches.length, bytes: segment.bytes });
  return 'sent';
}

async function sendOne(batch: SealedBatch, { send }: ReplayOptions) {
  try {
    await send(batch);
    return { batch, outcome: 'sent' } as const;
  } catch (error) {
    const never = error instanceof ScanLogError && error.fault === 'too_large';
    return { batch, outcome: never ? 'refused' : 'failed' } as const;
  }
}

async function letLiveGoFirst({ busy, signal }: ReplayOptions): Promise<void> {
  for (let yields = 0; yields < mostYields && busy() && !signal.aborted; yields++)
    await rest(yieldMs, signal);
}

const rest = (ms: number, signal: AbortSignal) => pause(ms, undefined, { signal }).catch(() => undefined);
