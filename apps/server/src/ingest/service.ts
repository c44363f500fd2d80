import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { Tracer } from '../platform/tracing.ts';
import type { RowStore } from '../scans/stores/row-storage.ts';
import {
  type IngestCounters,
  type ScanLogReader,
  type ScanPublisher,
  ShardTaken,
  UnknownLayout,
} from './ingest.ts';
import * as statements from './statements.ts';
import { createVisitorTables } from './visitor-tables.ts';
import { workShard } from './worker.ts';
import type { MarkUsedUp, WorkerContext, WorkerLimits } from './worker-context.ts';

/** Counts the scans of one shard of the log and stores their rows, each exactly once. */
export type Ingest = {
  start(): void;
  /** Resolves when all work has stopped and the shard is released. */
  stop(): Promise<void>;
};

/** An ingest that can leave its shard to another process. */
export type ShardWorker = Ingest & {
  /** Releases the shard, and tries to take it again after some seconds only. */
  yieldShard(): void;
};

export type IngestParts = {
  readonly db: Database;
  readonly rows: RowStore;
  readonly log: ScanLogReader;
  /** Publishes counted scans; none are published by default. */
  readonly publisher?: ScanPublisher;
  readonly markUsedUp: MarkUsedUp;
  readonly shard: number;
  /** Identifies the process; a random id by default. */
  readonly owner?: string;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly counters?: IngestCounters;
  readonly tracer?: Tracer | undefined;
  readonly limits?: Partial<WorkerLimits>;
};

const defaults: WorkerLimits = { groupScans: 5_000, groupMs: 200, ownerTimeoutMs: 3_000, insertMs: 10_000 };

const [minBackoffMs, maxBackoffMs, takenPauseMs, heartbeatMs] = [50, 2_000, 250, 500];
/** For every other process to try several times. */
const yieldPauseMs = 2_000;
const [stoppedPauseMs, stoppedLogMs] = [5_000, 60_000];

export function createIngest(parts: IngestParts): ShardWorker {
  const { db, shard, logger, counters = noCounters } = parts;
  const worker: WorkerContext = {
    ...parts,
    publisher: parts.publisher ?? noPublisher,
    counters,
    owner: parts.owner ?? randomUUID(),
    visitorTables: createVisitorTables(db),
    limits: { ...defaults, ...parts.limits },
  };
  const stopping = new AbortController();
  const { signal } = stopping;
  let yielding = new AbortController();
  let running: Promise<unknown> = Promise.resolve();

  /** Works until stopped. Any failure is retried: all state needed to continue is in the log and the databases. */
  async function run(): Promise<void> {
    let backoffMs = minBackoffMs;
    const onProgress = () => {
      backoffMs = minBackoffMs;
      counters.stopped(shard, false);
    };
    while (!signal.aborted) {
      try {
        yielding = new AbortController();
        await workShard(worker, onProgress, AbortSignal.any([signal, yielding.signal]));
      } catch (error) {
        if (signal.aborted) return;
        worker.visitorTables.forget();
        if (yielding.signal.aborted) {
          await release();
          await sleep(yieldPauseMs);
          continue;
        }
        if (error instanceof ShardTaken) {
          counters.stopped(shard, false);
          await sleep(takenPauseMs);
          continue;
        }
        if (error instanceof UnknownLayout) {
          await waitForNewVersion(error);
          continue;
        }
        counters.interrupted();
        logger.warn({ err: error, shard, backoffMs }, 'ingest interrupted');
        await sleep(backoffMs);
        backoffMs = Math.min(2 * backoffMs, maxBackoffMs);
      }
    }
  }

  let loggedAtMs = Number.NEGATIVE_INFINITY;

  /** Releases the shard, for a process whose version knows the layout, and tries again after a while. */
  async function waitForNewVersion({ position, version }: UnknownLayout): Promise<void> {
    counters.stopped(shard, true);
    if (performance.now() - loggedAtMs > stoppedLogMs) {
      loggedAtMs = performance.now();
      logger.error({ shard, position, version }, 'log entry has an unknown layout: its shard is stopped');
    }
    await release();
    await sleep(stoppedPauseMs);
  }

  const release = () => db.query(statements.releaseShard, [shard, worker.owner]).catch(() => undefined);

  /** Also beats while it waits for a database or the log, so that no other process takes over needlessly. */
  async function sendHeartbeats(): Promise<void> {
    while (!signal.aborted) {
      await sleep(heartbeatMs);
      await db.query(statements.heartbeat, [shard, worker.owner]).catch(() => undefined);
    }
  }

  const sleep = (ms: number) => pause(ms, undefined, { signal }).catch(() => undefined);

  return {
    start() {
      running = Promise.all([run(), sendHeartbeats()]);
    },
    async stop() {
      stopping.abort();
      await running;
      await release();
    },
    yieldShard: () => yielding.abort(),
  };
}

const noPublisher: ScanPublisher = { isAwaited: async () => false, publish: async () => undefined };

const noCounters: IngestCounters = {
  stored() {},
  repeated() {},
  ofDeletedCodes() {},
  quarantined() {},
  trimmed() {},
  stopped() {},
  interrupted() {},
};
