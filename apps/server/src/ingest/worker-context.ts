import type { Uuid } from '../kernel/ids.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { Tracer } from '../platform/tracing.ts';
import type { RowStore } from '../scans/stores/row-storage.ts';
import type { IngestCounters, ScanLogReader, ScanPublisher } from './ingest.ts';
import type { VisitorTables } from './visitor-tables.ts';

/** The dependencies of the worker of a shard. */
export type WorkerContext = {
  readonly db: Database;
  readonly rows: RowStore;
  readonly log: ScanLogReader;
  readonly publisher: ScanPublisher;
  /** Stops codes that have reached their limit of scans, in the transaction that counts these. */
  readonly markUsedUp: MarkUsedUp;
  readonly shard: number;
  readonly owner: Uuid;
  readonly visitorTables: VisitorTables;
  readonly counters: IngestCounters;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly limits: WorkerLimits;
  readonly tracer?: Tracer | undefined;
};

export type CodeAtLimit = { readonly id: Uuid; readonly totalScans: number };
export type MarkUsedUp = (tx: Database, codes: readonly CodeAtLimit[]) => Promise<void>;

export type WorkerLimits = {
  /** A group has at most this many scans, and waits this long for them. */
  readonly groupScans: number;
  readonly groupMs: number;
  /** An owner without a heartbeat for this long has lost its shard. */
  readonly ownerTimeoutMs: number;
  readonly insertMs: number;
};
