import type { Uuid } from '../kernel/ids.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres.ts';
import type { Tracer } from '../platform/tracing.ts';
import type { Announcer, IngestCounters, ScanLogReader } from './ingest.ts';
import type { Windows } from './windows.ts';

/** What the work on a shard needs. */
export type Worker = {
  readonly db: Database;
  readonly clickhouse: ClickHouse;
  readonly log: ScanLogReader;
  readonly announcer: Announcer;
  readonly shard: number;
  readonly owner: Uuid;
  readonly windows: Windows;
  readonly counters: IngestCounters;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly limits: WorkerLimits;
  readonly tracer?: Tracer | undefined;
};

export type WorkerLimits = {
  /** A group has at most so many scans, and waits so long for them. */
  readonly groupScans: number;
  readonly groupMs: number;
  /** An owner that was silent for so long has lost its shard. */
  readonly ownedMs: number;
  readonly insertMs: number;
};
