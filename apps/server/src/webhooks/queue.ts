import { setTimeout as pause } from 'node:timers/promises';
import {
  AckPolicy,
  type Consumer,
  DeliverPolicy,
  type JsMsg,
  jetstream,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { type Nats, NatsClosedError, type NatsConnection, traceHeaders } from '../platform/nats.ts';
import { ensureStream, managerOf, nanos } from '../platform/streams.ts';
import type { EventKind, Message } from './webhook.ts';

/** Messages on their way to the first try. A message leaves the queue when it was tried or put into PostgreSQL. */
export type Queue = {
  /** Resolves when the queue has all of them; what it had before it does not take twice, for two minutes. */
  publish(messages: readonly Message[], signal: AbortSignal): Promise<void>;
  /** Messages as they come, until the signal aborts. One that is not acked in time comes again. */
  read(signal: AbortSignal, onTrouble: (error: unknown) => void): AsyncGenerator<Queued>;
  /** How many wait, and how many are under way. Throws when NATS is away. */
  depth(): Promise<{ readonly waiting: number; readonly underWay: number }>;
};

export type Queued = { readonly message: Message; readonly isAgain: boolean; ack(): void };

export const streamName = 'WEBHOOKS';
const subject = 'webhooks.messages';
export const consumerName = 'deliver';
const duplicateWindowMs = 120_000;
/** Longer than a try and the writing down of what came of it. */
export const ackWaitMs = 25_000;
const mostUnacked = 20_000;
const apiMs = 2_000;
const [publishMs, publishAtOnce] = [5_000, 500];
const [fetchSize, fetchMs, heartbeatMs, retryWaitMs] = [1_000, 10_000, 1_000, 200];

/** Makes the queue where it is not there. Harmless to repeat, and from several processes at once. */
async function ensureQueue(connection: NatsConnection, replicas: number): Promise<void> {
  const manager = await managerOf(connection);
  await ensureStream(manager, {
    name: streamName,
    subjects: [subject],
    storage: StorageType.File,
    retention: RetentionPolicy.Workqueue,
    num_replicas: replicas,
    duplicate_window: nanos(duplicateWindowMs),
  });
  await manager.consumers.add(streamName, {
    durable_name: consumerName,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(ackWaitMs),
    max_ack_pending: mostUnacked,
    max_deliver: -1,
  });
}

export function createQueue(nats: Nats, replicas: number): Queue {
  let ensured: NatsConnection | undefined;

  /** A connection by which the queue is known to be there. */
  async function ready(signal: AbortSignal): Promise<NatsConnection> {
    const connection = await nats.whenConnected(signal);
    if (ensured !== connection) await ensureQueue(connection, replicas);
    ensured = connection;
    return connection;
  }

  return {
    async publish(messages, signal) {
      const client = jetstream(await ready(signal));
      try {
        for (let at = 0; at < messages.length; at += publishAtOnce) {
          signal.throwIfAborted();
          await Promise.all(
            messages.slice(at, at + publishAtOnce).map(message =>
              client.publish(subject, write(message), {
                msgID: message.id,
                timeout: publishMs,
                ...(message.trace ? { headers: traceHeaders(message.trace) } : {}),
              }),
            ),
          );
        }
      } catch (error) {
        // The queue may have gone from under a connection that stands: NATS was emptied.
        ensured = undefined;
        throw error;
      }
    },

    async *read(signal, onTrouble) {
      while (!signal.aborted) {
        try {
          const consumer = await jetstream(await ready(signal)).consumers.get(streamName, consumerName);
          while (!signal.aborted) yield* fetchOnce(consumer, signal);
        } catch (error) {
          if (signal.aborted || error instanceof NatsClosedError) return;
          onTrouble(error);
          ensured = undefined;
          await pause(retryWaitMs, undefined, { signal }).catch(() => undefined);
        }
      }
    },

    async depth() {
      const connection = await ready(AbortSignal.timeout(apiMs));
      const info = await (await managerOf(connection)).consumers.info(streamName, consumerName);
      return { waiting: info.num_pending, underWay: info.num_ack_pending };
    },
  };
}

async function* fetchOnce(consumer: Consumer, signal: AbortSignal): AsyncGenerator<Queued> {
  const messages = await consumer.fetch({
    max_messages: fetchSize,
    expires: fetchMs,
    idle_heartbeat: heartbeatMs,
  });
  const stop = () => messages.stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    let received = 0;
    for await (const raw of messages) {
      const message = readMessage(raw);
      // Not one of ours: it would come again and again.
      if (message) yield { message, isAgain: raw.info.deliveryCount > 1, ack: () => raw.ack() };
      else raw.term();
      if (++received === fetchSize) return;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    messages.stop();
  }
}

/** The kind that says nothing of itself: almost every message is of it. */
const usual = 'scan.created';

const write = ({ trace: _inTheHeaders, event, ...message }: Message) =>
  JSON.stringify({
    ...message,
    event: event === usual ? undefined : event,
    createdAt: message.createdAt.getTime(),
  });

type Written = Omit<Message, 'createdAt' | 'event'> & { event?: EventKind; createdAt: number };

function readMessage(raw: JsMsg): Message | null {
  try {
    const message = raw.json<Written>();
    const trace = raw.headers?.get('traceparent') || undefined;
    return typeof message.endpointId === 'string' && typeof message.body === 'string'
      ? { ...message, event: message.event ?? usual, createdAt: new Date(message.createdAt), trace }
      : null;
  } catch {
    return null;
  }
}
