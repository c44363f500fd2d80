import { setTimeout as pause } from 'node:timers/promises';
import { untilAborted } from '../../kernel/running/until-aborted.ts';
import { type EncodedBatch, encodedFrom } from '../log/format/batch.ts';
import { ScanLogError } from '../log/scan-log-error.ts';
import type { Spool, SpoolEvent, SpoolSegment } from './spool.ts';

export type ReplayEvent =
  | { readonly kind: 'replayed'; readonly batches: number; readonly bytes: number }
  /** Batches that the log will never accept, or records that are no batch. */
  | { readonly kind: 'replay_refused'; readonly batches: number; readonly segment: string }
  /** Batches that a newer version wrote: their segment stays on disk for a version that can read them. */
  | { readonly kind: 'replay_unknown'; readonly batches: number; readonly segment: string };

export type ReplayOptions = {
  readonly spool: Pick<Spool, 'oldest' | 'remove' | 'adopt'>;
  /** Sends a batch to the log; resolves when it is acked. */
  readonly send: (batch: EncodedBatch) => Promise<void>;
  /** False while an attempt is sure to fail. */
  readonly available: () => boolean;
  /** True while live scans wait for the log: they have priority. */
  readonly busy: () => boolean;
  readonly signal: AbortSignal;
  readonly onEvent?: (event: ReplayEvent | SpoolEvent) => void;
  readonly adoptEveryMs?: number;
};

export type DrainOptions = Pick<ReplayOptions, 'spool' | 'send' | 'signal' | 'onEvent'> & {
  readonly idleTimeoutMs: number;
};

const idleMs = 50;
const retryMs = 250;
const concurrency = 16;
const yieldMs = 2;
/** Live scans have priority, but a log that is always busy must not starve the replay. */
const maxYields = 20;

/**
 * Replays the spool, oldest segment first, until the signal aborts. A segment is deleted when the log has acked all of it.
 * If interrupted before that, it is sent again from its start, and readers recognize duplicates by batch id.
 */
export async function replaySpool(options: ReplayOptions): Promise<void> {
  await Promise.all([replayLoop(options), adoptLoop(options)]);
}

/** Separate from the replay: a log that is down must not delay adopting what other processes left. */
async function adoptLoop(options: ReplayOptions): Promise<void> {
  const { spool, signal, onEvent = () => undefined, adoptEveryMs = 30_000 } = options;
  for (await sleep(adoptEveryMs, signal); !signal.aborted; await sleep(adoptEveryMs, signal))
    await spool.adopt().catch(error => onEvent({ kind: 'spool_failed', error }));
}

async function replayLoop(options: ReplayOptions): Promise<void> {
  const { spool, available, signal, onEvent = () => undefined } = options;
  /** Segments that cannot be read or deleted, or that stay on disk; one of them would block all others. */
  const skip = new Set<string>();
  while (!signal.aborted) {
    let segment: SpoolSegment | null = null;
    try {
      if (available()) segment = await spool.oldest(skip);
      if (segment && (await replaySegment(segment, options)) === 'skipped') skip.add(segment.name);
      if (!segment) await sleep(idleMs, signal);
    } catch (error) {
      if (segment) skip.add(segment.name);
      onEvent({ kind: 'spool_failed', error });
      await sleep(retryMs, signal);
    }
  }
}

/**
 * Replays the spool once, oldest segment first, and resolves when nothing is left that can be sent. It gives up when the log
 * has acked nothing for `idleTimeoutMs`, or when the signal aborts.
 */
export async function drainSpool(options: DrainOptions): Promise<void> {
  const { spool, idleTimeoutMs, onEvent = () => undefined } = options;
  const idle = new AbortController();
  const signal = AbortSignal.any([options.signal, idle.signal]);
  let idleTimer = setTimeout(() => idle.abort(), idleTimeoutMs);
  async function send(batch: EncodedBatch): Promise<void> {
    await options.send(batch);
    clearTimeout(idleTimer);
    // An ack after the end must not start a timer.
    if (!signal.aborted) idleTimer = setTimeout(() => idle.abort(), idleTimeoutMs);
  }
  // There are no live scans any more that could have priority.
  const replay = { ...options, send, signal, available: () => true, busy: () => false };
  const skip = new Set<string>();
  try {
    for (let segment = await spool.oldest(); segment && !signal.aborted; segment = await spool.oldest(skip)) {
      try {
        if ((await replaySegment(segment, replay)) === 'skipped') skip.add(segment.name);
      } catch (error) {
        skip.add(segment.name);
        onEvent({ kind: 'spool_failed', error });
      }
    }
  } finally {
    clearTimeout(idleTimer);
  }
}

async function replaySegment(
  segment: SpoolSegment,
  options: ReplayOptions,
): Promise<'sent' | 'skipped' | 'aborted'> {
  const { spool, signal, onEvent = () => undefined } = options;
  const { records, tornBytes, damaged } = await segment.read();
  if (tornBytes + damaged > 0) onEvent({ kind: 'spool_damaged', segment: segment.name, tornBytes, damaged });
  const found = records.map(encodedFrom);
  const batches = found.filter(batch => typeof batch !== 'string');
  const unknown = found.filter(batch => batch === 'unknown_version').length;
  let refused = found.filter(batch => batch === 'too_short').length;
  let unsent: readonly EncodedBatch[] = batches;
  while (unsent.length > 0 && !signal.aborted) {
    await yieldToLiveScans(options);
    const sending = Promise.all(unsent.slice(0, concurrency).map(batch => trySend(batch, options)));
    const outcomes = await untilAborted(sending, signal);
    if (!outcomes) return 'aborted';
    refused += outcomes.filter(({ outcome }) => outcome === 'refused').length;
    const failed = outcomes.filter(({ outcome }) => outcome === 'failed').map(({ batch }) => batch);
    // Last, or the batches of a full shard would delay those of the others.
    unsent = [...unsent.slice(concurrency), ...failed];
    if (failed.length > 0) await sleep(retryMs, signal);
  }
  if (unsent.length > 0) return 'aborted';
  if (refused > 0) onEvent({ kind: 'replay_refused', batches: refused, segment: segment.name });
  if (unknown > 0) {
    onEvent({ kind: 'replay_unknown', batches: unknown, segment: segment.name });
    return 'skipped';
  }
  await spool.remove(segment);
  onEvent({ kind: 'replayed', batches: batches.length, bytes: segment.bytes });
  return 'sent';
}

async function trySend(batch: EncodedBatch, { send }: ReplayOptions) {
  try {
    await send(batch);
    return { batch, outcome: 'sent' } as const;
  } catch (error) {
    const isPermanent = error instanceof ScanLogError && error.fault === 'too_large';
    return { batch, outcome: isPermanent ? 'refused' : 'failed' } as const;
  }
}

async function yieldToLiveScans({ busy, signal }: ReplayOptions): Promise<void> {
  for (let yields = 0; yields < maxYields && busy() && !signal.aborted; yields++)
    await sleep(yieldMs, signal);
}

const sleep = (ms: number, signal: AbortSignal) => pause(ms, undefined, { signal }).catch(() => undefined);
