import { AckPolicy, DeliverPolicy, DiscardPolicy, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import type { Uuid } from '../../../kernel/ids.ts';
import type { NatsConnection } from '../../../platform/nats/nats.ts';
import { createManager, ensureConsumer, ensureStream, nanos } from '../../../platform/nats/streams.ts';

/** A message that finds no room in the queue is refused, never dropped. */
export type QueueOptions = {
  readonly replicas: number;
  /** Messages of all accounts. Not bytes: NATS 2.9 sometimes keeps a limit of bytes by dropping the oldest message. */
  readonly maxMessages: number;
  /** Messages of one account. */
  readonly maxPerAccount: number;
};

export const streamName = 'WEBHOOKS';
export const consumerName = 'deliver';
/** Longer than an attempt and the writing of its outcome. */
export const ackWaitMs = 25_000;
const duplicateWindowMs = 120_000;
const maxUnacked = 20_000;

/** Earlier versions published here, for all accounts. What they left is read like the rest. */
const sharedSubject = 'webhooks.messages';
export const toSubject = (account: Uuid | '*') => `${sharedSubject}.${account}`;

/**
 * Creates the queue, or updates one that an earlier version created. Idempotent, also from several processes at once.
 * False while the queue holds more than its limits allow, so that they are not set yet.
 */
export async function ensureQueue(connection: NatsConnection, options: QueueOptions): Promise<boolean> {
  const manager = await createManager(connection);
  const isBounded = await ensureStream(manager, {
    name: streamName,
    subjects: [sharedSubject, toSubject('*')],
    storage: StorageType.File,
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    discard_new_per_subject: true,
    max_msgs_per_subject: options.maxPerAccount,
    max_msgs: options.maxMessages,
    num_replicas: options.replicas,
    duplicate_window: nanos(duplicateWindowMs),
  });
  await ensureConsumer(manager, streamName, {
    durable_name: consumerName,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(ackWaitMs),
    max_ack_pending: maxUnacked,
    max_deliver: -1,
  });
  return isBounded;
}
