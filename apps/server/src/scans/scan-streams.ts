import { setTimeout as pause } from 'node:timers/promises';
import { DiscardPolicy, RetentionPolicy, StorageType, type StreamConfig } from '@nats-io/jetstream';
import type { Nats, NatsConnection } from '../platform/nats.ts';
import {
  ensureStream,
  ensureThere,
  isStreamAbsent,
  keepEnsured,
  managerOf,
  nanos,
} from '../platform/streams.ts';

/**
 * How the scan log is kept. On NATS 2.9 an ack outlives the death of the process but not of the power: there is no
 * `sync_interval` to make it write through. From 2.10 on `sync_interval: always` and three replicas close that gap.
 */
export type StreamOptions = {
  readonly shards: number;
  /** 1, or 3 on a cluster. */
  readonly replicas: number;
  /** The log keeps what ingest has read too, so that it can be read through again; what is older than this goes. */
  readonly maxAgeMs: number;
  /** Of each shard. Whoever appends stops before it is reached, and spools; ingest makes room. */
  readonly maxBytes: number;
};

export const streamOf = (shard: number) => `SCANS_${shard}`;
export const subjectOf = (shard: number | '*') => `scans.${shard}`;

/** The shard of a stream by its name; null for a stream that is none of the scan log. */
export function shardOf(stream: string): number | null {
  const digits = /^SCANS_(0|[1-9]\d{0,4})$/.exec(stream)?.[1];
  const shard = Number(digits);
  return digits !== undefined && shard <= maxShard ? shard : null;
}

const maxShard = 0xffff;

/**
 * Makes the streams that are not there and changes those that differ. Harmless to repeat, and from several processes at once.
 * False where one does not have its bound yet.
 */
export async function ensureStreams(connection: NatsConnection, options: StreamOptions): Promise<boolean> {
  const manager = await managerOf(connection);
  let areBounded = true;
  for (let shard = 0; shard < options.shards; shard++)
    areBounded = (await ensureStream(manager, wanted(shard, options))) && areBounded;
  return areBounded;
}

/** Makes the streams that are not there, and leaves the others as they are. */
export async function makeAbsent(connection: NatsConnection, options: StreamOptions): Promise<void> {
  const manager = await managerOf(connection);
  for (let shard = 0; shard < options.shards; shard++) await ensureThere(manager, wanted(shard, options));
}

const lookAgainMs = 5_000;
/** A stream that does not have its bound yet, since more lies in it or the store is too small, is changed again after so long. */
const boundAgainMs = 60_000;

/**
 * Ensures the streams whenever NATS has (re)appeared, so that no start waits for it. Every few seconds one that was
 * deleted under a standing connection is made again; settings are left alone then, or two processes whose settings differ
 * would change them to and fro. Returns what ends this.
 */
export function keepStreams(
  nats: Nats,
  options: StreamOptions,
  onError: (error: unknown) => void,
): () => void {
  let boundAgainAtMs = Number.POSITIVE_INFINITY;
  const ensure = async (connection: NatsConnection) => {
    const areBounded = await ensureStreams(connection, options);
    boundAgainAtMs = areBounded ? Number.POSITIVE_INFINITY : performance.now() + boundAgainMs;
  };
  const stop = keepEnsured(nats, ensure, onError);
  const again = setInterval(() => {
    const connection = nats.connection();
    if (!connection) return;
    if (performance.now() < boundAgainAtMs) makeAbsent(connection, options).catch(onError);
    else ensure(connection).catch(onError);
  }, lookAgainMs).unref();
  return () => {
    clearInterval(again);
    stop();
  };
}

const absentWaitMs = 200;

/** Resolves when NATS is there and has a stream for the shard: a redirect makes it. */
export async function whenStreamIsThere(nats: Nats, shard: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    const manager = await managerOf(await nats.whenConnected(signal));
    try {
      await manager.streams.info(streamOf(shard));
      return;
    } catch (error) {
      if (!isStreamAbsent(error)) throw error;
    }
    await pause(absentWaitMs, undefined, { signal });
  }
}

/** The position of the newest batch; 0 for a log without any. */
export async function lastPosition(connection: NatsConnection, shard: number): Promise<number> {
  const info = await (await managerOf(connection)).streams.info(streamOf(shard));
  return info.state.last_seq;
}

/** Removes every entry before the position, and says how many. */
export async function removeBefore(
  connection: NatsConnection,
  shard: number,
  position: number,
): Promise<number> {
  const { purged } = await (await managerOf(connection)).streams.purge(streamOf(shard), { seq: position });
  return purged;
}

type Wanted = Pick<
  StreamConfig,
  'name' | 'subjects' | 'storage' | 'retention' | 'discard' | 'num_replicas' | 'max_age' | 'max_bytes'
>;

function wanted(shard: number, { replicas, maxAgeMs, maxBytes }: StreamOptions): Wanted {
  return {
    name: streamOf(shard),
    subjects: [subjectOf(shard)],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    // What was not counted must never make room for what is new.
    discard: DiscardPolicy.New,
    num_replicas: replicas,
    max_age: nanos(maxAgeMs),
    max_bytes: maxBytes,
  };
}
