import { setTimeout as pause } from 'node:timers/promises';
import { DiscardPolicy, RetentionPolicy, StorageType, type StreamConfig } from '@nats-io/jetstream';
import type { Nats, NatsConnection } from '../platform/nats.ts';
import {
  ensureStream,
  isStreamAbsent,
  keepEnsured,
  managerOf,
  nanos,
  repairStream,
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
  /** Of each shard. An appender refuses from here on (`log-fill.ts`); NATS itself knows a bound of messages alone. */
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
 * False where one does not have its bound yet. Rejects when all were tried, if one failed.
 */
export async function ensureStreams(connection: NatsConnection, options: StreamOptions): Promise<boolean> {
  const manager = await managerOf(connection);
  const areBounded = await ofEachShard(options, config => ensureStream(manager, config));
  return areBounded.every(Boolean);
}

/**
 * Makes the streams that are not there, and sees to it that the others refuse what is new instead of dropping what is old.
 * Ages and sizes are left as they are.
 */
export async function repairStreams(connection: NatsConnection, options: StreamOptions): Promise<void> {
  const manager = await managerOf(connection);
  await ofEachShard(options, config => repairStream(manager, config));
}

/** One that fails, or does not answer, keeps no other waiting. */
async function ofEachShard<Value>(
  options: StreamOptions,
  work: (config: Wanted) => Promise<Value>,
): Promise<Value[]> {
  const wantedStreams = Array.from({ length: options.shards }, (_, shard) => wanted(shard, options));
  const outcomes = await Promise.allSettled(wantedStreams.map(work));
  const failed = outcomes.flatMap((outcome, shard) =>
    outcome.status === 'rejected' ? [{ stream: streamOf(shard), error: outcome.reason }] : [],
  );
  if (failed.length > 0)
    throw new AggregateError(
      failed.map(({ error }) => error),
      `${failed.map(({ stream }) => stream).join(', ')}: ${messageOf(failed[0]!.error)}`,
    );
  return outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []));
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const lookAgainMs = 5_000;
/** A stream that does not have its bound yet, since it holds more or since NATS refused, is changed again after so long. */
const boundAgainMs = 60_000;

/**
 * Ensures the streams whenever NATS has (re)appeared, so that no start waits for it. Every few seconds one that was
 * deleted under a standing connection is made again, and the discard policy repaired; ages and sizes are left alone then, or
 * two processes whose settings differ would change them to and fro. Returns what ends this.
 */
export function keepStreams(
  nats: Nats,
  options: StreamOptions,
  onError: (error: unknown) => void,
): () => void {
  let boundAgainAtMs = Number.POSITIVE_INFINITY;
  const ensure = async (connection: NatsConnection) => {
    boundAgainAtMs = performance.now() + boundAgainMs;
    if (await ensureStreams(connection, options)) boundAgainAtMs = Number.POSITIVE_INFINITY;
  };
  const stop = keepEnsured(nats, ensure, onError);
  const again = setInterval(() => {
    const connection = nats.connection();
    if (!connection) return;
    if (performance.now() < boundAgainAtMs) repairStreams(connection, options).catch(onError);
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
  'name' | 'subjects' | 'storage' | 'retention' | 'discard' | 'num_replicas' | 'max_age' | 'max_msgs'
> & { readonly max_bytes: -1 };

/** Less than any entry takes, so that an appender refuses by bytes long before NATS does by messages. */
const leastEntryBytes = 100;

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
    max_msgs: Math.ceil(maxBytes / leastEntryBytes),
    // NATS reserves the bytes of such a bound, and does not start the stream again on a disk that has fewer.
    max_bytes: -1,
  };
}
