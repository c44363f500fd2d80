import type { Config } from '../config.ts';
import { systemClock } from '../kernel/clock.ts';
import { createLifecycle, type Lifecycle } from '../kernel/lifecycle.ts';
import { explainFault } from '../platform/engine-faults.ts';
import { connectionOptions, createNats, type Nats } from '../platform/nats.ts';
import { createPostgres } from '../platform/postgres.ts';
import { type SealedBatch, scansIn } from '../scans/batch.ts';
import { openBoundedLog } from '../scans/bounded-log.ts';
import { repairStreams, streamOf } from '../scans/scan-streams.ts';
import { openSpool, type SpoolEvent } from '../scans/spool.ts';
import type { SpoolContents } from '../scans/spool-contents.ts';
import { spoolIdOf } from '../scans/spool-id.ts';
import { drainSpool, type ReplayEvent } from '../scans/spool-replay.ts';
import { createSpoolsLeft } from '../scans/spools-left.ts';
import type { Print } from './print.ts';
import { scanStreamOptions } from './stream-options.ts';

type Parts = {
  readonly dir: string;
  readonly contents: SpoolContents;
  readonly config: Config;
  readonly print: Print;
};

const connectMs = 3_000;
const appendMs = 5_000;
/** NATS may elect a new leader meanwhile. */
const patienceMs = 15_000;
const progressEveryMs = 1_000;

/** Sends on what a directory holds, and tells whether nothing is left. Ended in the middle, it goes on with the next run. */
export async function drainDirectory({ dir, contents, config, print }: Parts): Promise<boolean> {
  const lifecycle = createLifecycle();
  try {
    const left = contents.segments > 0 ? await drain({ dir, contents, config, print }, lifecycle) : 0;
    if (contents.segments === 0) print(lastLine(0, 0, 0));
    if (left === 0) await forget(dir, config, lifecycle, print);
    return left === 0;
  } finally {
    await lifecycle.close();
  }
}

const lastLine = (batches: number, scans: number, left: number) =>
  `spool drain: ${batches} batches, ${scans} scans, ${left} left`;

/** How many files are left. */
async function drain({ dir, contents, config, print }: Parts, lifecycle: Lifecycle): Promise<number> {
  const nats = createNats(config.natsUrl);
  lifecycle.defer('nats', () => nats.close());
  await prepareLog(nats, config, `${contents.scans} scans stay in ${dir}`);
  const shard = config.scanShard % config.scanShards;
  const { log, fill } = openBoundedLog({ nats, shard, maxBytes: scanStreamOptions(config).maxBytes });
  lifecycle.defer('fill of the log', () => fill.stop());
  await fill.looked;
  if (fill.isFull()) {
    print(`${streamOf(shard)} is full: nothing was sent. Run this again when ingest has made room.`);
    print(lastLine(0, 0, contents.scans));
    return contents.segments;
  }
  const onEvent = say(print);
  // It is only emptied: what is in it may be more than a process may spool today.
  const maxBytes = Number.POSITIVE_INFINITY;
  const spool = await openSpool({ dir, maxBytes, clock: systemClock, onEvent });
  lifecycle.defer('spool', () => spool.close());
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  lifecycle.defer('signals', () => process.off('SIGINT', stop).off('SIGTERM', stop));

  let [batches, scans] = [0, 0];
  async function send(batch: SealedBatch): Promise<void> {
    await log.append(batch, appendMs);
    batches++;
    scans += scansIn(batch.bytes);
  }
  const progress = setInterval(() => print(`${scans} of ${contents.scans} scans sent`), progressEveryMs);
  await drainSpool({ spool, send, signal: stopping.signal, patienceMs, onEvent });
  clearInterval(progress);
  const left = spool.stats();
  if (left.segments > 0)
    print(
      `${left.segments} files stay in ${dir}: run this again when ${fill.isFull() ? 'ingest has made room in the log' : 'NATS takes scans'}.`,
    );
  print(lastLine(batches, scans, left.scans));
  return left.segments;
}

async function prepareLog(nats: Nats, config: Config, otherwise: string): Promise<void> {
  try {
    const connection = await nats.whenConnected(AbortSignal.timeout(connectMs));
    await repairStreams(connection, scanStreamOptions(config));
  } catch (cause) {
    const where = connectionOptions(config.natsUrl).servers.join(', ');
    throw new Error(
      `NATS does not answer at ${where}: nothing was sent, and ${otherwise}. Run this again when NATS is back.`,
      { cause },
    );
  }
}

function say(print: Print): (event: SpoolEvent | ReplayEvent) => void {
  return event => {
    switch (event.kind) {
      case 'replay_unknown':
        return print(
          `${event.segment} has ${event.batches} batches in the layout of a newer version and stays: drain it with that version.`,
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

/** The alert ends. PostgreSQL is needed for nothing else here. */
async function forget(dir: string, config: Config, lifecycle: Lifecycle, print: Print): Promise<void> {
  const limits = { databasePoolSize: 1, databaseTimeoutMs: 3_000 };
  const db = createPostgres({ ...config, ...limits }, () => undefined);
  lifecycle.defer('postgres', () => db.close());
  try {
    await createSpoolsLeft(db).forget(await spoolIdOf(dir));
  } catch (error) {
    const fault = await explainFault('postgres', config.databaseUrl, error);
    const cause = fault?.sentence ?? (error instanceof Error ? error.message : error);
    print(`PostgreSQL still lists this spool as left: run this again to end its alert. ${cause}`);
  }
}
