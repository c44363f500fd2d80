import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import type { Nats, NatsConnection } from '../platform/nats.ts';

/**
 * How the scan log is kept. On NATS 2.9 an ack outlives the death of the process but not of the power: there is no
 * `sync_interval` to make it write through. From 2.10 on `sync_interval: always` and three replicas close that gap.
 */
export type StreamOptions = {
  readonly shards: number;
  /** 1, or 3 on a cluster. */
  readonly replicas: number;
  /** The log is trimmed by age alone: it keeps what ingest has read too, so that it can be read through again. */
  readonly maxAgeMs: number;
};

export const streamOf = (shard: number) => `SCANS_${shard}`;
export const subjectOf = (shard: number) => `scans.${shard}`;

const apiTimeoutMs = 5000;
const triesAConnection = 60;
const retryWaitMs = 1000;

export const managerOf = (connection: NatsConnection): Promise<JetStreamManager> =>
  jetstreamManager(connection, { checkAPI: false, timeout: apiTimeoutMs });

/** Makes the streams that are not there and changes those that differ. Harmless to repeat, and from several processes at once. */
export async function ensureStreams(connection: NatsConnection, options: StreamOptions): Promise<void> {
  const manager = await managerOf(connection);
  for (let shard = 0; shard < options.shards; shard++) await ensureStream(manager, wanted(shard, options));
}

/** Ensures the streams whenever NATS has (re)appeared, so that no start waits for it. Returns what ends this. */
export function keepStreams(
  nats: Nats,
  options: StreamOptions,
  onError: (error: unknown) => void,
): () => void {
  let ended = false;
  const attempt = (connection: NatsConnection, triesLeft: number) => {
    ensureStreams(connection, options).catch(error => {
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

/** The position of the newest batch; 0 for a log without any. */
export async function lastPosition(connection: NatsConnection, shard: number): Promise<number> {
  const info = await (await managerOf(connection)).streams.info(streamOf(shard));
  return info.state.last_seq;
}

type Wanted = Pick<
  StreamConfig,
  'name' | 'subjects' | 'storage' | 'retention' | 'discard' | 'num_replicas' | 'max_age'
>;

function wanted(shard: number, { replicas, maxAgeMs }: StreamOptions): Wanted {
  return {
    name: streamOf(shard),
    subjects: [subjectOf(shard)],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    num_replicas: replicas,
    max_age: nanos(maxAgeMs),
  };
}

async function ensureStream(manager: JetStreamManager, config: Wanted): Promise<void> {
  try {
    const present = (await manager.streams.info(config.name)).config;
    const differs = Object.entries(config).some(
      ([key, value]) => JSON.stringify(present[key as keyof StreamConfig]) !== JSON.stringify(value),
    );
    if (differs) await manager.streams.update(config.name, { ...present, ...config });
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== JetStreamApiCodes.StreamNotFound) throw error;
    await manager.streams.add(config);
  }
}

const nanos = (ms: number) => ms * 1_000_000;
