import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClickHouse } from '../platform/clickhouse.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres.ts';
import type { Tracer } from '../platform/tracing.ts';
import {
  type Announcer,
  type IngestCounters,
  type ScanLogReader,
  ShardTaken,
  UnknownLayout,
} from './ingest.ts';
import * as statements from './statements.ts';
import { createWindows } from './windows.ts';
import type { Worker, WorkerLimits } from './work.ts';
import { workShard } from './worker.ts';

/** Brings the scans of one shard from the log into PostgreSQL and ClickHouse, each exactly once. */
export type Ingest = {
  start(): void;
  /** Resolves when nothing runs any more, and leaves the shard to others. */
  stop(): Promise<void>;
};

export type IngestParts = {
  readonly db: Database;
  readonly clickhouse: ClickHouse;
  readonly log: ScanLogReader;
  /** Who is told of scans that were counted; nobody by default. */
  readonly announcer?: Announcer;
  readonly shard: number;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly counters?: IngestCounters;
  readonly tracer?: Tracer | undefined;
  readonly limits?: Partial<WorkerLimits>;
};

const defaults: WorkerLimits = { groupScans: 5_000, groupMs: 200, ownedMs: 3_000, insertMs: 10_000 };

const [firstPauseMs, longestPauseMs, takenPauseMs, aliveEveryMs] = [50, 2_000, 250, 500];
const [stoppedPauseMs, stoppedTellMs] = [5_000, 60_000];

export function createIngest(parts: IngestParts): Ingest {
  const { db, shard, logger, counters = silent } = parts;
  const worker: Worker = {
    ...parts,
    announcer: parts.announcer ?? { announce: async () => undefined },
    counters,
    owner: randomUUID(),
    windows: createWindows(db),
    limits: { ...defaults, ...parts.limits },
  };
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<unknown> = Promise.resolve();

  /** Works until told to stop. Whatever fails is waited out: everything needed to go on is in the log and the engines. */
  async function run(): Promise<void> {
    let pauseMs = firstPauseMs;
    const progress = () => {
      pauseMs = firstPauseMs;
      counters.stopped(shard, false);
    };
    while (!signal.aborted) {
      try {
        await workShard(worker, progress, signal);
      } catch (error) {
        if (signal.aborted) return;
        worker.windows.forget();
        if (error instanceof ShardTaken) {
          counters.stopped(shard, false);
          await rest(takenPauseMs);
          continue;
        }
        if (error instanceof UnknownLayout) {
          await standStill(error);
          continue;
        }
        counters.interrupted();
        logger.warn({ err: error, shard, pauseMs }, 'ingest interrupted');
        await rest(pauseMs);
        pauseMs = Math.min(2 * pauseMs, longestPauseMs);
      }
    }
  }

  let toldAtMs = Number.NEGATIVE_INFINITY;

  /** Leaves the shard to a version that knows the layout, should one stand by; looks again after a while. */
  async function standStill({ position, version }: UnknownLayout): Promise<void> {
    counters.stopped(shard, true);
    if (performance.now() - toldAtMs > stoppedTellMs) {
      toldAtMs = performance.now();
      logger.error({ shard, position, version }, 'log entry has an unknown layout: its shard stands still');
    }
    await db.query(statements.leaveShard, [shard, worker.owner]).catch(() => undefined);
    await rest(stoppedPauseMs);
  }

  /** Says that it is there also while it waits for an engine or the log, so that nobody takes over for nothing. */
  async function sayAlive(): Promise<void> {
    while (!signal.aborted) {
      await rest(aliveEveryMs);
      await db.query(statements.sayAlive, [shard, worker.owner]).catch(() => undefined);
    }
  }

  const rest = (ms: number) => pause(ms, undefined, { signal }).catch(() => undefined);

  return {
    start() {
      running = Promise.all([run(), sayAlive()]);
    },
    async stop() {
      stopping.abort();
      await running;
      await db.query(statements.leaveShard, [shard, worker.owner]).catch(() => undefined);
    },
  };
}

const silent: IngestCounters = {
  stored() {},
  repeated() {},
  ofDeletedCodes() {},
  setAside() {},
  trimmed() {},
  stopped() {},
  interrupted() {},
};
