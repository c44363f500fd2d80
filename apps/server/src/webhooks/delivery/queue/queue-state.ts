import { setTimeout as pause } from 'node:timers/promises';
import { JetStreamApiCodes, JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '../../../platform/nats/nats.ts';
import { createManager } from '../../../platform/nats/streams.ts';
import { consumerName, streamName } from './queue-stream.ts';

/** The queue, seen from outside. */
export type QueueState = {
  /** Messages that are not acked: those that wait and those in progress. */
  readonly messages: number;
  readonly oldestAt: Date | null;
  /** Whether a process pulls messages. */
  readonly isRead: boolean;
};

/** Between two pull requests of a reader there is a moment without any, so one look is not enough. */
const [maxLooks, lookEveryMs] = [5, 200];

/** Null where there is no queue yet. Changes nothing. */
export async function measureQueue(connection: NatsConnection): Promise<QueueState | null> {
  const manager = await createManager(connection);
  try {
    const { state } = await manager.streams.info(streamName);
    return {
      messages: state.messages,
      oldestAt: state.messages > 0 ? new Date(state.first_ts) : null,
      isRead: await isRead(manager),
    };
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return null;
    throw error;
  }
}

async function isRead(manager: JetStreamManager): Promise<boolean> {
  for (let look = 1; ; look++) {
    const { num_waiting } = await manager.consumers.info(streamName, consumerName);
    if (num_waiting > 0 || look === maxLooks) return num_waiting > 0;
    await pause(lookEveryMs);
  }
}
