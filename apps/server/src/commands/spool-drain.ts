import type { Config } from '../config/config.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Print } from '../kernel/print.ts';
import { createLifecycle, type Lifecycle } from '../kernel/running/lifecycle.ts';
import { runEvery } from '../platform/background-jobs.ts';
import { diagnoseThoroughly } from '../platform/diagnosis/engine-diagnosis.ts';
import { connectionOptions, createNats, type Nats } from '../platform/nats/nats.ts';
import { createPostgres } from '../platform/postgres/postgres.ts';
import { scanStreamOptions } from '../roles/engines/stream-options.ts';
import { openBoundedLog } from '../scans/log/bounded-log.ts';
import { countScans, type EncodedBatch } from '../scans/log/format/batch.ts';
import { chooseBatchShard, createShardChooser } from '../scans/log/sharding.ts';
import { repairStreams, toStreamName } from '../scans/log/streams.ts';
import type { SpoolContents } from '../scans/spool/contents.ts';
import { loadSpoolId } from '../scans/spool/id.ts';
import { createSpoolsLeft } from '../scans/spool/left-behind.ts';
import { drainSpool, type ReplayEvent } from '../scans/spool/replay.ts';
import { openSpool, type SpoolEvent } from '../scans/spool/spool.ts';

type DrainOptions = {
  readonly dir: string;
  readonly contents: SpoolContents;
  readonly config: Config;
  readonly print: Print;
};

const connectMs = 3_000;
const appendMs = 5_000;
/** Long enough for NATS to elect a new leader. */
const idleTimeoutMs = 15_000;
const progressIntervalMs = 1_000;

/** Sends the scans in a directory to the log. Returns whether none is left. After an interruption, run it again. */
export async function drainDirectory({ dir, contents, config, print }: DrainOptions): Promise<boolean> {
  const lifecycle = createLifecycle();
  try {
    const left = contents.segments > 0 ? await drain({ dir, contents, config, print }, lifecycle) : 0;
    if (contents.segments === 0) print(summaryLine(0, 0, 0));
    if (left === 0) await clearRecord(dir, config, lifecycle, print);
    return left === 0;
  } finally {
    await lifecycle.close();
  }
}

const summaryLine = (batches: number, scans: number, left: number) =>
  `spool drain: ${batches} batches, ${scans} scans, ${left} left`;

/** Returns how many files are left. */
async function drain({ dir, contents, config, print }: DrainOptions, lifecycle: Lifecycle): Promise<number> {
  const nats = createNats(config.logNatsUrl);
  lifecycle.defer('nats', () => nats.close());
  await prepareLog(nats, config, `${contents.scans} scans stay in ${dir}`);
  const { shards: count, maxBytes: maxShardBytes } = scanStreamOptions(config);
  const shards = Array.from({ length: count }, (_, shard) => shard);
  const { log, fill } = openBoundedLog({ nats, shards: count, maxBytes: maxShardBytes });
  lifecycle.defer('fill of the log', () => fill.stop());
  await fill.measured;
  if (shards.every(fill.isFull)) {
    print(
      `${shards.map(toStreamName).join(', ')} ${count > 1 ? 'are' : 'is'} full, so nothing was sent. Run this again when ingest has made room.`,
    );
    print(summaryLine(0, 0, contents.scans));
    return contents.segments;
  }
  const onEvent = printEvents(print);
  // The spool is only emptied, and may hold more than SPOOL_MAX_MB allows today.
  const maxBytes = Number.POSITIVE_INFINITY;
  const spool = await openSpool({ dir, maxBytes, clock: systemClock, onEvent });
  lifecycle.defer('spool', () => spool.close());
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  lifecycle.defer('signals', () => process.off('SIGINT', stop).off('SIGTERM', stop));

  let [batches, scans] = [0, 0];
  // Spreads are in PostgreSQL, which need not run for this: an account that has one is not spread here, and counts the same.
  const chooseShard = createShardChooser(count);
  const appenders = shards.map(log.appender);
  async function send(batch: EncodedBatch): Promise<void> {
    await appenders[chooseBatchShard(batch.bytes, chooseShard)]!.append(batch, appendMs);
    batches++;
    scans += countScans(batch.bytes);
  }
  const stopProgress = runEvery(progressIntervalMs, () => print(`${scans} of ${contents.scans} scans sent`));
  await drainSpool({ spool, send, signal: stopping.signal, idleTimeoutMs, onEvent });
  stopProgress();
  const left = spool.stats();
  if (left.segments > 0)
    print(
      `${left.segments} files are left in ${dir}. Run this again when ${shards.some(fill.isFull) ? 'ingest has made room in the log' : 'NATS accepts scans'}.`,
    );
  print(summaryLine(batches, scans, left.scans));
  return left.segments;
}

async function prepareLog(nats: Nats, config: Config, remaining: string): Promise<void> {
  try {
    const connection = await nats.whenConnected(AbortSignal.timeout(connectMs));
    await repairStreams(connection, scanStreamOptions(config));
  } catch (cause) {
    const servers = connectionOptions(config.logNatsUrl).servers.join(', ');
    throw new Error(
      `NATS does not answer at ${servers}: nothing was sent, and ${remaining}. Run this again when NATS is back.`,
      { cause },
    );
  }
}

function printEvents(print: Print): (event: SpoolEvent | ReplayEvent) => void {
  return event => {
    switch (event.kind) {
      case 'replay_unknown':
        return print(
          `${event.segment} has ${event.batches} batches in the format of a newer version. Drain it with that version.`,
        );
      case 'replay_refused':
        return print(`${event.segment}: the log refused ${event.batches} batches.`);
      case 'spool_damaged':
        return print(
          `${event.segment} is damaged: ${event.damaged} batches, and ${event.tornBytes} bytes at its end, cannot be read.`,
        );
      case 'spool_failed':
        return print(`The disk failed: ${event.error instanceof Error ? event.error.message : event.error}`);
      default:
        return;
    }
  };
}

/** Ends the alert about this spool. Nothing else here needs PostgreSQL. */
async function clearRecord(dir: string, config: Config, lifecycle: Lifecycle, print: Print): Promise<void> {
  const limits = { databasePoolSize: 1, databaseTimeoutMs: 3_000 };
  const db = createPostgres({ ...config, ...limits }, () => undefined);
  lifecycle.defer('postgres', () => db.close());
  try {
    await createSpoolsLeft(db).remove(await loadSpoolId(dir));
  } catch (error) {
    const fault = await diagnoseThoroughly('postgres', config.databaseUrl, error);
    const cause = fault?.sentence ?? (error instanceof Error ? error.message : error);
    print(`The spool is empty, but PostgreSQL still lists it. Run this again to end its alert. ${cause}`);
  }
}
