import { AckPolicy, DeliverPolicy, DiscardPolicy, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import type { Uuid } from '../kernel/ids.ts';
import type { NatsConnection } from '../platform/nats.ts';
import { ensureStream, managerOf, nanos } from '../platform/streams.ts';

/** How the queue is kept. What finds no room in it is refused, never dropped. */
export type QueueOptions = {
  readonly replicas: number;
  /** Messages of all accounts. Not bytes: NATS 2.9 keeps a bound of bytes by dropping the oldest now and then. */
  readonly maxMessages: number;
  /** Messages of one account. */
  readonly maxPerAccount: number;
};

export const streamName = 'WEBHOOKS';
export const consumerName = 'deliver';
/** Longer than a try and the writing down of what came of it. */
export const ackWaitMs = 25_000;
const duplicateWindowMs = 120_000;
const mostUnacked = 20_000;

/** Versions before the bounds published here, for all accounts; what they left is read like the rest. */
const sharedSubject = 'webhooks.messages';
export const subjectOf = (account: Uuid | '*') => `${sharedSubject}.${account}`;

/**
 * Makes the queue where it is not there, and changes one that an earlier version made. Harmless to repeat, and from several processes at once.
 * False where it does not have its bounds yet: more lies in it than they allow.
 */
export async function ensureQueue(connection: NatsConnection, options: QueueOptions): Promise<boolean> {
  const manager = await managerOf(connection);
  const isBounded = await ensureStream(manager, {
    name: streamName,
    subjects: [sharedSubject, subjectOf('*')],
    storage: StorageType.File,
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    discard_new_per_subject: true,
    max_msgs_per_subject: options.maxPerAccount,
    max_msgs: options.maxMessages,
    num_replicas: options.replicas,
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
  return isBounded;
}
