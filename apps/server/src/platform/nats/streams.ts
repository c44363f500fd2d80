import {
  type ConsumerConfig,
  type ConsumerInfo,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import type { Nats, NatsConnection } from './nats.ts';

const apiTimeoutMs = 5000;
const maxAttempts = 60;
const retryWaitMs = 1000;

export const createManager = (connection: NatsConnection): Promise<JetStreamManager> =>
  jetstreamManager(connection, { checkAPI: false, timeout: apiTimeoutMs });

export const nanos = (ms: number) => ms * 1_000_000;

/** Never with `max_bytes`: NATS reserves that space, and version 2.9 drops the oldest messages when it is full. */
type WantedStream = Partial<StreamConfig> & { readonly name: string; readonly max_bytes?: -1 };

/**
 * Creates a missing stream, and updates one that differs. Idempotent, also from several processes at once. Resolves to false
 * if the stream cannot have the wanted bounds yet: then call it again later.
 */
export async function ensureStream(manager: JetStreamManager, config: WantedStream): Promise<boolean> {
  const present = await findStreamInfo(manager, config.name);
  if (!present) {
    await manager.streams.add(config);
    return true;
  }
  const safe = await withoutDropping(manager, config, present);
  if (differs(present.config, safe))
    await manager.streams.update(config.name, { ...present.config, ...safe });
  return !differs(config, safe);
}

/**
 * Creates a missing stream, and restores the discard policy of an existing one: an older version that starts during an
 * upgrade sets its own policy, which drops the oldest messages. All other settings stay as they are.
 */
export async function repairStream(manager: JetStreamManager, config: WantedStream): Promise<void> {
  const present = await findStreamInfo(manager, config.name);
  if (!present) {
    await manager.streams.add(config);
    return;
  }
  const { discard } = config;
  if (discard && discard !== present.config.discard)
    await manager.streams.update(config.name, { ...present.config, discard });
}

/**
 * Creates a missing consumer, and updates one that differs: since NATS 2.10 one that exists with other settings is not
 * created. Idempotent, also from several processes at once.
 */
export async function ensureConsumer(
  manager: JetStreamManager,
  stream: string,
  config: Partial<ConsumerConfig> & { readonly durable_name: string },
): Promise<void> {
  const present = await findConsumerInfo(manager, stream, config.durable_name);
  if (!present) await manager.consumers.add(stream, config);
  else if (differs(present.config, config))
    await manager.consumers.update(stream, config.durable_name, config);
}

async function findConsumerInfo(
  manager: JetStreamManager,
  stream: string,
  consumer: string,
): Promise<ConsumerInfo | null> {
  try {
    return await manager.consumers.info(stream, consumer);
  } catch (error) {
    if (isConsumerAbsent(error)) return null;
    throw error;
  }
}

async function findStreamInfo(manager: JetStreamManager, stream: string): Promise<StreamInfo | null> {
  try {
    return await manager.streams.info(stream);
  } catch (error) {
    if (isStreamAbsent(error)) return null;
    throw error;
  }
}

const differs = <Config extends object>(present: Partial<Config>, wanted: Partial<Config>) =>
  Object.entries(wanted).some(
    ([key, value]) => JSON.stringify(present[key as keyof Config]) !== JSON.stringify(value),
  );

/** Messages that arrive between measuring and updating must fit too. */
const headroom = 1.25;

/**
 * When a bound is lowered, NATS removes the messages that no longer fit, oldest first and whatever the discard policy says:
 * some at once, some only at its next start. So no bound is set below the current size.
 */
async function withoutDropping(
  manager: JetStreamManager,
  config: WantedStream,
  present: StreamInfo,
): Promise<WantedStream> {
  const safe = { ...config };
  if (isLower(config.max_msgs, present.config.max_msgs))
    safe.max_msgs = Math.max(config.max_msgs!, Math.ceil(present.state.messages * headroom));
  if (isLower(config.max_msgs_per_subject, present.config.max_msgs_per_subject)) {
    const largest = await largestSubject(manager, config.name);
    safe.max_msgs_per_subject = Math.max(config.max_msgs_per_subject!, Math.ceil(largest * headroom));
  }
  return safe;
}

const isLower = (wanted: number | undefined, present: number) =>
  wanted !== undefined && wanted > 0 && (present <= 0 || wanted < present);

async function largestSubject(manager: JetStreamManager, stream: string): Promise<number> {
  const { state } = await manager.streams.info(stream, { subjects_filter: '>' });
  return Object.values(state.subjects ?? {}).reduce((largest, count) => Math.max(largest, count), 0);
}

export const isStreamAbsent = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;

const isConsumerAbsent = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.code === JetStreamApiCodes.ConsumerNotFound;

/** Runs `ensure` whenever NATS is (re)connected, so that no start waits for NATS. Returns the stop function. */
export function keepEnsured(
  nats: Nats,
  ensure: (connection: NatsConnection) => Promise<void>,
  onError: (error: unknown) => void,
): () => void {
  let isStopped = false;
  const attempt = (connection: NatsConnection, attemptsLeft: number) => {
    ensure(connection).catch(error => {
      if (isStopped || nats.connection() !== connection) return;
      onError(error);
      // A cluster that has just started has no leader yet, and refuses for a moment.
      if (attemptsLeft > 1) setTimeout(attempt, retryWaitMs, connection, attemptsLeft - 1).unref();
    });
  };
  const stop = nats.onStatus(status => {
    if (status.kind === 'connected') attempt(status.connection, maxAttempts);
  });
  const current = nats.connection();
  if (current) attempt(current, maxAttempts);
  return () => {
    isStopped = true;
    stop();
  };
}
