import { setTimeout as pause } from 'node:timers/promises';
import { DiscardPolicy, RetentionPolicy, StorageType, type StreamConfig } from '@nats-io/jetstream';
import { runEvery } from '../../platform/background-jobs.ts';
import type { Nats, NatsConnection } from '../../platform/nats/nats.ts';
import {
  createManager,
  ensureStream,
  isStreamAbsent,
  keepEnsured,
  nanos,
  repairStream,
} from '../../platform/nats/streams.ts';

/**
 * How the scan log is stored. On NATS 2.9 an ack survives a crash of the process but not a power failure: there is no
 * `sync_interval` to force a sync. From 2.10 on, `sync_interval: always` and three replicas close that gap.
 */
export type StreamOptions = {
  readonly shards: number;
  /** 1, or 3 on a cluster. */
  readonly replicas: number;
  /** The log also retains what ingest has read, so that it can be read again; older entries are removed. */
  readonly maxAgeMs: number;
  /** Per shard. Appenders refuse at this size (`fill.ts`); NATS itself only has a limit of messages. */
  readonly maxBytes: number;
};

export const toStreamName = (shard: number) => `SCANS_${shard}`;
export const toSubject = (shard: number | '*') => `scans.${shard}`;

/** The shard of a stream by its name; null for a stream that does not belong to the scan log. */
export function parseShard(stream: string): number | null {
  const digits = /^SCANS_(0|[1-9]\d{0,4})$/.exec(stream)?.[1];
  const shard = Number(digits);
  return digits !== undefined && shard <= maxShard ? shard : null;
}

const maxShard = 0xffff;

/**
 * Creates missing streams and updates those that differ. Idempotent, also from several processes at once. False if one
 * does not have its limit yet. Rejects after all were tried, if one failed.
 */
export async function ensureStreams(connection: NatsConnection, options: StreamOptions): Promise<boolean> {
  const manager = await createManager(connection);
  const areBounded = await forEachShard(options, config => ensureStream(manager, config));
  return areBounded.every(Boolean);
}

/**
 * Creates missing streams, and makes the others refuse new messages instead of dropping old ones. Ages and sizes stay
 * unchanged.
 */
export async function repairStreams(connection: NatsConnection, options: StreamOptions): Promise<void> {
  const manager = await createManager(connection);
  await forEachShard(options, config => repairStream(manager, config));
}

/** A stream that fails, or does not answer, does not delay the others. */
async function forEachShard<Value>(
  options: StreamOptions,
  work: (config: ScanStreamConfig) => Promise<Value>,
): Promise<Value[]> {
  const configs = Array.from({ length: options.shards }, (_, shard) => toStreamConfig(shard, options));
  const outcomes = await Promise.allSettled(configs.map(work));
  const failed = outcomes.flatMap((outcome, shard) =>
    outcome.status === 'rejected' ? [{ stream: toStreamName(shard), error: outcome.reason }] : [],
  );
  if (failed.length > 0)
    throw new AggregateError(
      failed.map(({ error }) => error),
      `${failed.map(({ stream }) => stream).join(', ')}: ${getMessage(failed[0]!.error)}`,
    );
  return outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []));
}

const getMessage = (error: unknown) => (error instanceof Error ? error.message : String(error));

const repairEveryMs = 5_000;
/** A stream that did not get its limit, because it holds more or NATS refused, is updated again after this long. */
const boundRetryMs = 60_000;

/**
 * Ensures the streams whenever NATS (re)connects, so that no start waits for it. Every few seconds, streams that were
 * deleted under an open connection are created again, and the discard policy is repaired. Ages and sizes are not touched
 * then, or two processes with different settings would keep changing them back and forth. Returns a stop function.
 */
export function keepStreams(
  nats: Nats,
  options: StreamOptions,
  onError: (error: unknown) => void,
): () => void {
  let boundRetryAtMs = Number.POSITIVE_INFINITY;
  const ensure = async (connection: NatsConnection) => {
    boundRetryAtMs = performance.now() + boundRetryMs;
    if (await ensureStreams(connection, options)) boundRetryAtMs = Number.POSITIVE_INFINITY;
  };
  const stop = keepEnsured(nats, ensure, onError);
  const stopRepairing = runEvery(repairEveryMs, () => {
    const connection = nats.connection();
    if (!connection) return;
    if (performance.now() < boundRetryAtMs) repairStreams(connection, options).catch(onError);
    else ensure(connection).catch(onError);
  });
  return () => {
    stopRepairing();
    stop();
  };
}

const absentWaitMs = 200;

/** Resolves when NATS is connected and has a stream for the shard, which a redirect creates. */
export async function whenStreamExists(nats: Nats, shard: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    const manager = await createManager(await nats.whenConnected(signal));
    try {
      await manager.streams.info(toStreamName(shard));
      return;
    } catch (error) {
      if (!isStreamAbsent(error)) throw error;
    }
    await pause(absentWaitMs, undefined, { signal });
  }
}

/** The position of the newest batch; 0 for an empty log. */
export async function lastPosition(connection: NatsConnection, shard: number): Promise<number> {
  const info = await (await createManager(connection)).streams.info(toStreamName(shard));
  return info.state.last_seq;
}

/** Removes every entry before the position, and returns how many. */
export async function removeBefore(
  connection: NatsConnection,
  shard: number,
  position: number,
): Promise<number> {
  const { purged } = await (await createManager(connection)).streams.purge(toStreamName(shard), {
    seq: position,
  });
  return purged;
}

type ScanStreamConfig = Pick<
  StreamConfig,
  'name' | 'subjects' | 'storage' | 'retention' | 'discard' | 'num_replicas' | 'max_age' | 'max_msgs'
> & { readonly max_bytes: -1 };

/** Smaller than any entry, so that appenders refuse by bytes long before NATS does by messages. */
const minEntryBytes = 100;

function toStreamConfig(shard: number, { replicas, maxAgeMs, maxBytes }: StreamOptions): ScanStreamConfig {
  return {
    name: toStreamName(shard),
    subjects: [toSubject(shard)],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    // Entries that are not counted yet must never be dropped for new ones.
    discard: DiscardPolicy.New,
    num_replicas: replicas,
    max_age: nanos(maxAgeMs),
    max_msgs: Math.ceil(maxBytes / minEntryBytes),
    // NATS reserves the bytes of this limit, and does not restart the stream on a disk that has less free.
    max_bytes: -1,
  };
}
