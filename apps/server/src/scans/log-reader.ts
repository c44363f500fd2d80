import { setTimeout as pause } from 'node:timers/promises';
import {
  AckPolicy,
  type Consumer,
  DeliverPolicy,
  type JetStreamManager,
  type JsMsg,
  jetstream,
} from '@nats-io/jetstream';
import { type Nats, NatsClosedError, type NatsConnection } from '../platform/nats.ts';
import { managerOf } from '../platform/streams.ts';
import { entryOf, type LogEntry } from './log-entry.ts';
import { ScanLogError } from './scan-log-error.ts';
import { streamOf } from './scan-streams.ts';

/** The reader began anew behind its last entry: NATS was away, or something did not arrive. No entry is lost by it. */
export type ReaderEvent = {
  readonly kind: 'reader_restarted';
  readonly shard: number;
  readonly error: unknown;
};

type Reading = {
  readonly nats: Nats;
  readonly shard: number;
  readonly afterPosition: number;
  readonly signal: AbortSignal;
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
export async function* readLog({ nats, shard, afterPosition, signal, onReaderEvent }: Reading) {
  let position = afterPosition;
  while (!signal.aborted) {
    try {
      const connection = await nats.whenConnected(signal);
      const manager = await managerOf(connection);
      const trimmed = await trimmedAfter(manager, shard, position);
      if (trimmed) yield trimmed satisfies LogEntry;
      position = trimmed?.position ?? position;
      for await (const message of follow(connection, manager, shard, position, signal)) {
        if (signal.aborted) return;
        if (message.seq !== position + 1) {
          if (message.seq <= position || (await isThere(manager, shard, position + 1))) {
            throw new Error(`Expected position ${position + 1}, got ${message.seq}`);
          }
          yield { kind: 'missing', position: ++position, count: 1 } satisfies LogEntry;
          throw new Error(`Position ${position} is missing`);
        }
        position = message.seq;
        yield entryOf(position, message.data, message.headers?.get('traceparent'));
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof NatsClosedError) throw error;
      if (error instanceof ScanLogError && error.fault === 'reset') throw error;
      onReaderEvent({ kind: 'reader_restarted', shard, error });
      await pause(retryWaitMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** What was trimmed behind the position before it was read. */
async function trimmedAfter(manager: JetStreamManager, shard: number, position: number) {
  const { state } = await manager.streams.info(streamOf(shard));
  if (state.last_seq < position) {
    throw new ScanLogError('reset', `The log ends at ${state.last_seq}, before position ${position}`);
  }
  const count = state.first_seq - position - 1;
  return count > 0 ? ({ kind: 'missing', position: state.first_seq - 1, count } as const) : undefined;
}

async function isThere(manager: JetStreamManager, shard: number, position: number): Promise<boolean> {
  return (await manager.streams.getMessage(streamOf(shard), { seq: position })) !== null;
}

type Message = Pick<JsMsg, 'seq' | 'data' | 'headers'>;

/** Messages behind the position, without end: it leaves by throwing, or when the signal aborts. */
async function* follow(
  connection: NatsConnection,
  manager: JetStreamManager,
  shard: number,
  position: number,
  signal: AbortSignal,
): AsyncGenerator<Message> {
  const stream = streamOf(shard);
  const { name } = await manager.consumers.add(stream, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: position + 1,
    inactive_threshold: idleConsumerNanos,
    mem_storage: true,
    num_replicas: 1,
  });
  try {
    const consumer = await jetstream(connection).consumers.get(stream, name);
    while (!signal.aborted) yield* fetchOnce(consumer, signal);
  } finally {
    // By itself it would go after its idle time; not waited for, since NATS may be the one that has gone.
    if (!connection.isClosed()) manager.consumers.delete(stream, name).catch(() => undefined);
  }
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
