import {
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  type StreamConfig,
} from '@nats-io/jetstream';
import type { Nats, NatsConnection } from './nats.ts';

const apiTimeoutMs = 5000;
const triesAConnection = 60;
const retryWaitMs = 1000;

export const managerOf = (connection: NatsConnection): Promise<JetStreamManager> =>
  jetstreamManager(connection, { checkAPI: false, timeout: apiTimeoutMs });

export const nanos = (ms: number) => ms * 1_000_000;

/** Makes a stream that is not there, and changes one that differs. Harmless to repeat, and from several processes at once. */
export async function ensureStream(
  manager: JetStreamManager,
  config: Partial<StreamConfig> & { readonly name: string },
): Promise<void> {
  try {
    const present = (await manager.streams.info(config.name)).config;
    const differs = Object.entries(config).some(
      ([key, value]) => JSON.stringify(present[key as keyof StreamConfig]) !== JSON.stringify(value),
    );
    if (differs) await manager.streams.update(config.name, { ...present, ...config });
  } catch (error) {
    if (!isStreamAbsent(error)) throw error;
    await manager.streams.add(config);
  }
}

/** Makes a stream that is not there. */
export async function ensureThere(
  manager: JetStreamManager,
  config: Partial<StreamConfig> & { readonly name: string },
): Promise<void> {
  try {
    await manager.streams.info(config.name);
  } catch (error) {
    if (!isStreamAbsent(error)) throw error;
    await manager.streams.add(config);
  }
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
