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

export type WantedStream = Partial<StreamConfig> & { readonly name: string };

/**
 * Makes a stream that is not there, and changes one that differs. Harmless to repeat, and from several processes at once.
 * False where the stream cannot have the bounds that are wanted yet: then it should be asked for again after a while.
 */
export async function ensureStream(manager: JetStreamManager, config: WantedStream): Promise<boolean> {
  try {
    const present = await manager.streams.info(config.name);
    const safe = await droppingNothing(manager, config, present);
    const update = (fitting: WantedStream) =>
      manager.streams.update(config.name, { ...present.config, ...fitting });
    const given = differs(present.config, safe)
      ? await asFarAsItFits(safe, update, leastBytes(present))
      : safe;
    return !differs(config, given);
  } catch (error) {
    if (!isStreamAbsent(error)) throw error;
    return !differs(config, await asFarAsItFits(config, fitting => manager.streams.add(fitting)));
  }
}

/** Makes a stream that is not there. */
export async function ensureThere(manager: JetStreamManager, config: WantedStream): Promise<void> {
  try {
    await manager.streams.info(config.name);
  } catch (error) {
    if (!isStreamAbsent(error)) throw error;
    await asFarAsItFits(config, fitting => manager.streams.add(fitting));
  }
}

const differs = (present: Partial<StreamConfig>, wanted: Partial<StreamConfig>) =>
  Object.entries(wanted).some(
    ([key, value]) => JSON.stringify(present[key as keyof StreamConfig]) !== JSON.stringify(value),
  );

/** What comes in between the look and the change must find room too. */
const headroom = 1.25;
const leastBytes = ({ state }: StreamInfo) => Math.ceil(state.bytes * headroom);

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
  if (isLower(config.max_bytes, present.config.max_bytes))
    safe.max_bytes = Math.max(config.max_bytes!, leastBytes(present));
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

const mostHalvings = 8;

/** NATS reserves the bytes of a bound. Where its store has no room for so many, the stream gets half, and so on. */
async function asFarAsItFits(
  config: WantedStream,
  apply: (config: WantedStream) => Promise<unknown>,
  least = 1,
): Promise<WantedStream> {
  for (let fitting = config, halvings = 0; ; halvings++) {
    try {
      await apply(fitting);
      return fitting;
    } catch (error) {
      const half = Math.floor((fitting.max_bytes ?? 0) / 2);
      if (!isStoreTooSmall(error) || half < least || halvings === mostHalvings) throw error;
      fitting = { ...fitting, max_bytes: half };
    }
  }
}

/** Of one server, and of a cluster in which no server has the room. */
const storeTooSmall: readonly number[] = [10_047, 10_023, 10_005];

const isStoreTooSmall = (error: unknown) =>
  error instanceof JetStreamApiError && storeTooSmall.includes(error.code);

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
