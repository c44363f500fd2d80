import { setTimeout as pause } from 'node:timers/promises';
import { type Consumer, jetstream } from '@nats-io/jetstream';
import { type Nats, NatsClosedError, type NatsConnection } from '../platform/nats.ts';
import { managerOf } from '../platform/streams.ts';
import { readMessage } from './queue-message.ts';
import { createQueuePublisher, type Unsent } from './queue-publisher.ts';
import { consumerName, ensureQueue, type QueueOptions, streamName } from './queue-stream.ts';
import type { Message } from './webhook.ts';

/** Messages on their way to the first try. A message leaves the queue when it was tried or put into PostgreSQL. */
export type Queue = {
  /**
   * Resolves within two seconds, whatever NATS does, with what the queue did not take. What it had before it does not take
   * twice, for two minutes.
   */
  publish(messages: readonly Message[], signal: AbortSignal): Promise<readonly Unsent[]>;
  /** Messages as they come, until the signal aborts. One that is not acked in time comes again. */
  read(signal: AbortSignal, onTrouble: (error: unknown) => void): AsyncGenerator<Queued>;
  /** How many wait, and how many are under way. Throws when NATS is away. */
  depth(): Promise<{ readonly waiting: number; readonly underWay: number }>;
};

export type Queued = { readonly message: Message; ack(): void };

const apiMs = 2_000;
const [fetchSize, fetchMs, heartbeatMs, retryWaitMs] = [1_000, 10_000, 1_000, 200];
/** A queue that does not have its bounds yet is looked at again after so long. */
const boundAgainMs = 60_000;

export function createQueue(nats: Nats, options: QueueOptions): Queue {
  let ensured: {
    readonly by: NatsConnection;
    readonly untilMs: number;
    readonly done: Promise<void>;
    readonly isUnderWay: boolean;
  } | null = null;

  /** Resolves when the queue is known to be there, by this connection. Calls beside each other share one look. */
  function ensure(connection: NatsConnection): Promise<void> {
    if (ensured?.by === connection && performance.now() < ensured.untilMs) return ensured.done;
    const look = ensureQueue(connection, options).then(isBounded => {
      const untilMs = isBounded ? Number.POSITIVE_INFINITY : performance.now() + boundAgainMs;
      if (ensured === mine) ensured = { ...mine, untilMs, isUnderWay: false };
    });
    const mine = { by: connection, untilMs: Number.POSITIVE_INFINITY, done: look, isUnderWay: true };
    ensured = mine;
    look.catch(() => {
      if (ensured === mine) ensured = null;
    });
    return look;
  }

  /** A look under way is as good as a new one, and a slow one must be able to end. */
  const forget = () => {
    if (!ensured?.isUnderWay) ensured = null;
  };

  /** A connection by which the queue is known to be there. */
  async function ready(signal: AbortSignal): Promise<NatsConnection> {
    const connection = await nats.whenConnected(signal);
    await ensure(connection);
    return connection;
  }

  return {
    publish: createQueuePublisher({ nats, ready: ensure, onGone: forget }),

    async *read(signal, onTrouble) {
      while (!signal.aborted) {
        try {
          const consumer = await jetstream(await ready(signal)).consumers.get(streamName, consumerName);
          while (!signal.aborted) yield* fetchOnce(consumer, signal);
        } catch (error) {
          if (signal.aborted || error instanceof NatsClosedError) return;
          onTrouble(error);
          forget();
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
      if (message) yield { message, ack: () => raw.ack() };
      else raw.term();
      if (++received === fetchSize) return;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    messages.stop();
  }
}
