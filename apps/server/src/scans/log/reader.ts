import { setTimeout as pause } from 'node:timers/promises';
import { AckPolicy, type Consumer, DeliverPolicy, type JsMsg, jetstream } from '@nats-io/jetstream';
import { type Nats, NatsClosedError, type NatsConnection } from '../../platform/nats/nats.ts';
import { createManager } from '../../platform/nats/streams.ts';
import { decodeEntry, type EntryMark, isSameMark, type LogEntry } from './format/entry.ts';
import { createLogMeter, type LogMeter, type LogState } from './meter.ts';
import { ScanLogError } from './scan-log-error.ts';
import { toStreamName } from './streams.ts';

/** The reader restarted after its last entry: NATS was down, or an entry did not arrive. No entry is lost. */
export type ReaderEvent = {
  readonly kind: 'reader_restarted';
  readonly shard: number;
  readonly error: unknown;
};

/** Identifies the log that a position belongs to. Without it, the first log found is assumed to be the right one. */
export type KnownLog = {
  readonly createdAt?: string | undefined;
  /** Of the entry at the position; null if unknown. */
  readonly mark?: EntryMark | null | undefined;
  /** Read whenever the stream is opened, because other processes keep seeing entries and getting acks. */
  readonly extent?: (() => Promise<LogExtent>) | undefined;
};

/** The minimum extent of the log. */
export type LogExtent = {
  /** The last entry that any process has seen. */
  readonly reached: { readonly position: number; readonly appendedAtMs: number } | null;
  /** The last position that was acked. */
  readonly acked: number;
};

type ReadOptions = {
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
 * Reads without acks: the caller tracks the position, and every failure is handled in one way, by reopening the stream
 * after the last entry. Positions must be consecutive. A gap is either a message out of order (restart), or it is looked
 * up by number and only then reported as missing.
 */
export async function* readLog(options: ReadOptions) {
  const { nats, shard, afterPosition, known, signal, onReaderEvent } = options;
  let position = afterPosition;
  const { extent = async () => ({ reached: null, acked: 0 }) } = known;
  let { createdAt, mark } = known;
  while (!signal.aborted) {
    let consumer: OpenConsumer | undefined;
    try {
      const connection = await nats.whenConnected(signal);
      const meter = createLogMeter(() => connection);
      // First the consumer, then the check of the log: a log that is replaced in between takes its consumer with it.
      consumer = await openConsumer(connection, shard, position);
      const state = await assertSameLog(meter, position, { createdAt, mark, ...(await extent()) }, options);
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
        const entry = decodeEntry(position, message.data, message.time.getTime(), trace);
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

const shortLogRetryMs = 400;

/**
 * The state of the log, if it is still the known one. A log that is too short is checked again for a while: a cluster that
 * has just elected a leader may not have all of its entries yet.
 */
async function assertSameLog(
  meter: LogMeter,
  position: number,
  { createdAt, mark, reached, acked }: Pick<KnownLog, 'createdAt' | 'mark'> & LogExtent,
  { shard, shortLogMs, signal }: Pick<ReadOptions, 'shard' | 'shortLogMs' | 'signal'>,
): Promise<LogState> {
  const minPosition = Math.max(position, reached?.position ?? 0, acked);
  const startedMs = performance.now();
  for (;;) {
    const state = await meter.readState(shard);
    if (createdAt !== undefined && state.createdAt !== createdAt)
      throw new ScanLogError('replaced', `The log was created at ${state.createdAt}, not at ${createdAt}`);
    const marks = [
      ...(mark ? [{ at: position, ...mark }] : []),
      ...(reached ? [{ at: reached.position, batchId: null, appendedAtMs: reached.appendedAtMs }] : []),
    ].filter(({ at }) => at >= state.firstPosition && at <= state.lastPosition);
    const found = await Promise.all(marks.map(({ at }) => meter.markAt(shard, at)));
    for (const [index, { at, batchId, appendedAtMs }] of marks.entries()) {
      const actual = found[index];
      if (actual && !isSameMark(actual, { batchId: batchId ?? actual.batchId, appendedAtMs }))
        throw new ScanLogError('replaced', `Another entry is at position ${at}`);
    }
    if (state.lastPosition >= minPosition && !found.includes(null)) return state;
    if (performance.now() - startedMs >= shortLogMs)
      throw new ScanLogError(
        'replaced',
        `The log ends at ${state.lastPosition}, or lacks entries before that`,
      );
    await pause(shortLogRetryMs, undefined, { signal });
  }
}

type Message = Pick<JsMsg, 'seq' | 'data' | 'headers' | 'time'>;

type OpenConsumer = {
  /** Messages after the position, endlessly: it ends by throwing, or when the signal aborts. */
  follow(signal: AbortSignal): AsyncGenerator<Message>;
  close(): void;
};

async function openConsumer(
  connection: NatsConnection,
  shard: number,
  position: number,
): Promise<OpenConsumer> {
  const stream = toStreamName(shard);
  const manager = await createManager(connection);
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
      // It would expire by itself. Not awaited, since NATS may be down.
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
      // The fetch is complete: a slow reader must not fail over heartbeats that the server no longer sends.
      if (++received === fetchSize) return;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    messages.stop();
  }
}
