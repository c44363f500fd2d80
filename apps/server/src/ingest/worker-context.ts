import type { Uuid } from '../kernel/ids.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres.ts';
import type { Tracer } from '../platform/tracing.ts';
import type { IngestCounters, ScanLogReader, ScanPublisher } from './ingest.ts';
import type { Windows } from './windows.ts';

/** The dependencies of the worker of a shard. */
export type WorkerContext = {
  readonly db: Database;
  readonly clickhouse: ClickHouse;
  readonly log: ScanLogReader;
  readonly publisher: ScanPublisher;
  readonly shard: number;
  readonly owner: Uuid;
  readonly windows: Windows;
  readonly counters: IngestCounters;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly limits: WorkerLimits;
  readonly tracer?: Tracer | undefined;
};

export type WorkerLimits = {
  /** A group has at most this many scans, and waits this long for them. */
  readonly groupScans: number;
  readonly groupMs: number;
  /** An owner without a heartbeat for this long has lost its shard. */
  readonly ownerTimeoutMs: number;
  readonly insertMs: number;
};
