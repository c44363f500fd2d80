import { setTimeout as pause } from 'node:timers/promises';
import { type Consumer, jetstream } from '@nats-io/jetstream';
import { type Nats, NatsClosedError, type NatsConnection } from '../../../platform/nats/nats.ts';
import { createManager } from '../../../platform/nats/streams.ts';
import type { Message } from '../../webhook.ts';
import { readMessage } from './queue-message.ts';
import { createQueuePublisher, type Unsent } from './queue-publisher.ts';
import { consumerName, ensureQueue, type QueueOptions, streamName } from './queue-stream.ts';

/** Messages before their first attempt. A message leaves the queue once it was attempted or moved to PostgreSQL. */
export type Queue = {
  /**
   * Resolves within two seconds, whatever NATS does, with the messages that the queue did not take. A message that is
   * published again within two minutes is stored once.
   */
  publish(messages: readonly Message[], signal: AbortSignal): Promise<readonly Unsent[]>;
  /** Messages as they come, until the signal aborts. One that is not acked in time is delivered again. */
  read(signal: AbortSignal, onError: (error: unknown) => void): AsyncGenerator<QueuedMessage>;
  /** Messages that wait and messages that are delivered but not acked. Throws when NATS is away. */
  depth(): Promise<{ readonly waiting: number; readonly unacked: number }>;
};

type QueuedMessage = { readonly message: Message; ack(): void };

const apiMs = 2_000;
const [fetchSize, fetchMs, heartbeatMs, retryWaitMs] = [1_000, 10_000, 1_000, 200];
/** A queue that holds more than its limits allow is checked again after this. */
const recheckMs = 60_000;

type Check = {
  readonly connection: NatsConnection;
  readonly validUntilMs: number;
  readonly done: Promise<void>;
  readonly isRunning: boolean;
};

export function createQueue(nats: Nats, options: QueueOptions): Queue {
  let check: Check | null = null;

  /** Resolves once the queue is known to exist on this connection. Concurrent calls share one check. */
  function ensure(connection: NatsConnection): Promise<void> {
    if (check?.connection === connection && performance.now() < check.validUntilMs) return check.done;
    const done = ensureQueue(connection, options).then(hasLimits => {
      const validUntilMs = hasLimits ? Number.POSITIVE_INFINITY : performance.now() + recheckMs;
      if (check === mine) check = { ...mine, validUntilMs, isRunning: false };
    });
    const mine = { connection, validUntilMs: Number.POSITIVE_INFINITY, done, isRunning: true };
    check = mine;
    done.catch(() => {
      if (check === mine) check = null;
    });
    return done;
  }

  /** A running check is as good as a new one, and a slow one must be able to end. */
  const invalidate = () => {
    if (!check?.isRunning) check = null;
  };

  /** A connection on which the queue is known to exist. */
  async function connect(signal: AbortSignal): Promise<NatsConnection> {
    const connection = await nats.whenConnected(signal);
    await ensure(connection);
    return connection;
  }

  return {
    publish: createQueuePublisher({ nats, ensureQueue: ensure, onMissing: invalidate }),

    async *read(signal, onError) {
      while (!signal.aborted) {
        try {
          const consumer = await jetstream(await connect(signal)).consumers.get(streamName, consumerName);
          while (!signal.aborted) yield* fetchOnce(consumer, signal);
        } catch (error) {
          if (signal.aborted || error instanceof NatsClosedError) return;
          onError(error);
          invalidate();
          await pause(retryWaitMs, undefined, { signal }).catch(() => undefined);
        }
      }
    },

    async depth() {
      const connection = await connect(AbortSignal.timeout(apiMs));
      const info = await (await createManager(connection)).consumers.info(streamName, consumerName);
      return { waiting: info.num_pending, unacked: info.num_ack_pending };
    },
  };
}

async function* fetchOnce(consumer: Consumer, signal: AbortSignal): AsyncGenerator<QueuedMessage> {
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
      // What is not a message of ours would be delivered again and again.
      if (message) yield { message, ack: () => raw.ack() };
      else raw.term();
      if (++received === fetchSize) return;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    messages.stop();
  }
}
