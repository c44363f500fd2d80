import {
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import type { Nats, NatsConnection } from './nats.ts';

const apiTimeoutMs = 5000;
const triesAConnection = 60;
const retryWaitMs = 1000;

export const managerOf = (connection: NatsConnection): Promise<JetStreamManager> =>
  jetstreamManager(connection, { checkAPI: false, timeout: apiTimeoutMs });

export const nanos = (ms: number) => ms * 1_000_000;

/** Never with `max_bytes`: NATS reserves them, and 2.9 drops the oldest where they are reached. */
export type WantedStream = Partial<StreamConfig> & { readonly name: string; readonly max_bytes?: -1 };

/**
 * Makes a stream that is not there, and changes one that differs. Harmless to repeat, and from several processes at once.
 * False where the stream cannot have the bounds that are wanted yet: then ask for it again after a while.
 */
export async function ensureStream(manager: JetStreamManager, config: WantedStream): Promise<boolean> {
  const present = await infoOf(manager, config.name);
  if (!present) {
    await manager.streams.add(config);
    return true;
  }
  const safe = await droppingNothing(manager, config, present);
  if (differs(present.config, safe))
    await manager.streams.update(config.name, { ...present.config, ...safe });
  return !differs(config, safe);
}

/**
 * Makes a stream that is not there, and gives one that is there its discard policy back: an older version that starts during
 * an upgrade sets its own, which drops the oldest. All other settings stay as they are.
 */
export async function repairStream(manager: JetStreamManager, config: WantedStream): Promise<void> {
  const present = await infoOf(manager, config.name);
  if (!present) {
    await manager.streams.add(config);
    return;
  }
  const { discard } = config;
  if (discard && discard !== present.config.discard)
    await manager.streams.update(config.name, { ...present.config, discard });
}

async function infoOf(manager: JetStreamManager, stream: string): Promise<StreamInfo | null> {
  try {
    return await manager.streams.info(stream);
  } catch (error) {
    if (isStreamAbsent(error)) return null;
    throw error;
  }
}

const differs = (present: Partial<StreamConfig>, wanted: Partial<StreamConfig>) =>
  Object.entries(wanted).some(
    ([key, value]) => JSON.stringify(present[key as keyof StreamConfig]) !== JSON.stringify(value),
  );

/** What comes in between the look and the change must find room too. */
const headroom = 1.25;

/**
 * NATS removes what a new, lower bound has no room for, the oldest first and whatever the discard policy says: some at
 * once, some only when it starts the next time. So no bound is set below what is there.
 */
async function droppingNothing(
  manager: JetStreamManager,
  config: WantedStream,
  present: StreamInfo,
): Promise<WantedStream> {
  const safe = { ...config };
  if (isLower(config.max_msgs, present.config.max_msgs))
    safe.max_msgs = Math.max(config.max_msgs!, Math.ceil(present.state.messages * headroom));
  if (isLower(config.max_msgs_per_subject, present.config.max_msgs_per_subject)) {
    const most = await mostOfOneSubject(manager, config.name);
    safe.max_msgs_per_subject = Math.max(config.max_msgs_per_subject!, Math.ceil(most * headroom));
  }
  return safe;
}

const isLower = (wanted: number | undefined, present: number) =>
  wanted !== undefined && wanted > 0 && (present <= 0 || wanted < present);

async function mostOfOneSubject(manager: JetStreamManager, stream: string): Promise<number> {
  const { state } = await manager.streams.info(stream, { subjects_filter: '>' });
  return Object.values(state.subjects ?? {}).reduce((most, count) => Math.max(most, count), 0);
}

export const isStreamAbsent = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;

/** Ensures something whenever NATS has (re)appeared, so that no start waits for it. Returns what ends this. */
export function keepEnsured(
  nats: Nats,
  ensure: (connection: NatsConnection) => Promise<void>,
  onError: (error: unknown) => void,
): () => void {
  let ended = false;
  const attempt = (connection: NatsConnection, triesLeft: number) => {
    ensure(connection).catch(error => {
      if (ended || nats.connection() !== connection) return;
      onError(error);
      // A cluster that has just come up has no leader yet, and refuses for a moment.
      if (triesLeft > 1) setTimeout(attempt, retryWaitMs, connection, triesLeft - 1).unref();
    });
  };
  const stop = nats.onStatus(status => {
    if (status.kind === 'connected') attempt(status.connection, triesAConnection);
  });
  const now = nats.connection();
  if (now) attempt(now, triesAConnection);
  return () => {
    ended = true;
    stop();
  };
}
