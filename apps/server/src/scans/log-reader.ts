import { setTimeout as pause } from 'node:timers/promises';
import { AckPolicy, type Consumer, DeliverPolicy, type JsMsg, jetstream } from '@nats-io/jetstream';
import { type Nats, NatsClosedError, type NatsConnection } from '../platform/nats.ts';
import { managerOf } from '../platform/streams.ts';
import { type EntryMark, entryOf, isSameMark, type LogEntry } from './log-entry.ts';
import { createLogMeter, type LogMeter, type LogState } from './log-meter.ts';
import { ScanLogError } from './scan-log-error.ts';
import { streamOf } from './scan-streams.ts';

/** The reader began anew behind its last entry: NATS was away, or something did not arrive. No entry is lost by it. */
export type ReaderEvent = {
  readonly kind: 'reader_restarted';
  readonly shard: number;
  readonly error: unknown;
};

/** The log that a position is in. Without it, the log that is there at first is taken for the one that was meant. */
export type KnownLog = {
  readonly createdAt?: string | undefined;
  /** Of the entry at the position; null where that is not known. */
  readonly mark?: EntryMark | null | undefined;
  /** Asked whenever the stream is opened: others go on seeing entries and getting acks. */
  readonly extent?: (() => Promise<LogExtent>) | undefined;
};

/** How far the log must reach at least. */
export type LogExtent = {
  /** The last entry that was seen in it. */
  readonly reached: { readonly position: number; readonly takenAtMs: number } | null;
  /** The last position that was acked. */
  readonly acked: number;
};

type Reading = {
  readonly nats: Nats;
  readonly shard: number;
  readonly afterPosition: number;
  readonly known: KnownLog;
  readonly signal: AbortSignal;
  readonly shortLogMs: number;
  readonly onReaderEvent: (event: ReaderEvent) => void;
};

const retryWaitMs = 200;
const fetchSize = 200;
const fetchMs = 10_000;
const heartbeatMs = 1000;
const idleConsumerNanos = 30_000_000_000;

/**
 * Reads without acks: where it stands is the reader's own knowledge, and every trouble is met in one way, by opening
 * the stream again behind the last entry. Each position must follow the one before; one that does not arrived out of
 * turn (begin anew) or is asked for by number, and only then called missing.
 */
export async function* readLog(reading: Reading) {
  const { nats, shard, afterPosition, known, signal, onReaderEvent } = reading;
  let position = afterPosition;
  const { extent = async () => ({ reached: null, acked: 0 }) } = known;
  let { createdAt, mark } = known;
  while (!signal.aborted) {
    let consumer: OpenConsumer | undefined;
    try {
      const connection = await nats.whenConnected(signal);
      const meter = createLogMeter(() => connection);
      // The consumer first, the look at the log after: one that is replaced in between takes its consumer with it.
      consumer = await openConsumer(connection, shard, position);
      const state = await mustBeSame(meter, position, { createdAt, mark, ...(await extent()) }, reading);
      createdAt = state.createdAt;
      const trimmed = state.firstPosition - position - 1;
      if (trimmed > 0) {
        position += trimmed;
        mark = null;
        yield { kind: 'missing', position, count: trimmed } satisfies LogEntry;
      }
      for await (const message of consumer.follow(signal)) {
        if (signal.aborted) return;
        if (message.seq !== position + 1) {
          if (message.seq <= position || (await meter.markAt(shard, position + 1)) !== null) {
            throw new Error(`Expected position ${position + 1}, got ${message.seq}`);
          }
          mark = null;
          yield { kind: 'missing', position: ++position, count: 1 } satisfies LogEntry;
          throw new Error(`Position ${position} is missing`);
        }
        position = message.seq;
        const trace = message.headers?.get('traceparent');
        const entry = entryOf(position, message.data, message.time.getTime(), trace);
        if (entry.kind !== 'missing') ({ mark } = entry);
        yield entry;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof NatsClosedError) throw error;
      if (error instanceof ScanLogError && error.fault === 'replaced') throw error;
      onReaderEvent({ kind: 'reader_restarted', shard, error });
      await pause(retryWaitMs, undefined, { signal }).catch(() => undefined);
    } finally {
      consumer?.close();
    }
  }
}

const shortLogLookMs = 400;

/**
 * The state of the log, where it is still the one that is known. A log that is too short is looked at for a while: a
 * cluster whose leader has just changed may not have put all of its entries in place yet.
 */
async function mustBeSame(
  meter: LogMeter,
  position: number,
  { createdAt, mark, reached, acked }: Pick<KnownLog, 'createdAt' | 'mark'> & LogExtent,
  { shard, shortLogMs, signal }: Pick<Reading, 'shard' | 'shortLogMs' | 'signal'>,
): Promise<LogState> {
  const least = Math.max(position, reached?.position ?? 0, acked);
  const begun = performance.now();
  for (;;) {
    const state = await meter.stateOf(shard);
    if (createdAt !== undefined && state.createdAt !== createdAt)
      throw new ScanLogError('replaced', `The log was created at ${state.createdAt}, not at ${createdAt}`);
    const marks = [
      ...(mark ? [{ at: position, ...mark }] : []),
      ...(reached ? [{ at: reached.position, batchId: null, takenAtMs: reached.takenAtMs }] : []),
    ].filter(({ at }) => at >= state.firstPosition && at <= state.lastPosition);
    const found = await Promise.all(marks.map(({ at }) => meter.markAt(shard, at)));
    for (const [index, { at, batchId, takenAtMs }] of marks.entries()) {
      const there = found[index];
      if (there && !isSameMark(there, { batchId: batchId ?? there.batchId, takenAtMs }))
        throw new ScanLogError('replaced', `Another entry is at position ${at}`);
    }
    if (state.lastPosition >= least && !found.includes(null)) return state;
    if (performance.now() - begun >= shortLogMs)
      throw new ScanLogError('replaced', `The log ends at ${state.lastPosition}, or lacks entries before`);
    await pause(shortLogLookMs, undefined, { signal });
  }
}

type Message = Pick<JsMsg, 'seq' | 'data' | 'headers' | 'time'>;

type OpenConsumer = {
  /** Messages behind the position, without end: it leaves by throwing, or when the signal aborts. */
  follow(signal: AbortSignal): AsyncGenerator<Message>;
  close(): void;
};

async function openConsumer(
  connection: NatsConnection,
  shard: number,
  position: number,
): Promise<OpenConsumer> {
  const stream = streamOf(shard);
  const manager = await managerOf(connection);
  const { name } = await manager.consumers.add(stream, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: position + 1,
    inactive_threshold: idleConsumerNanos,
    mem_storage: true,
    num_replicas: 1,
  });
  return {
    async *follow(signal) {
      const consumer = await jetstream(connection).consumers.get(stream, name);
      while (!signal.aborted) yield* fetchOnce(consumer, signal);
    },
    close() {
      // By itself it would go after its idle time; not waited for, since NATS may be the one that has gone.
      if (!connection.isClosed()) manager.consumers.delete(stream, name).catch(() => undefined);
    },
  };
}

async function* fetchOnce(consumer: Consumer, signal: AbortSignal): AsyncGenerator<Message> {
  const options = { max_messages: fetchSize, expires: fetchMs, idle_heartbeat: heartbeatMs };
  const messages = await consumer.fetch(options);
  const stop = () => messages.stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    let received = 0;
    for await (const message of messages) {
      yield message;
      // All has come: a reader that took its time must not be told of heartbeats that nobody sends any more.
      if (++received === fetchSize) return;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    messages.stop();
  }
}
