import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { Scan } from '../scan.ts';
import type { QueryLimits } from './scan-queries.ts';
import type { ScanRow } from './scan-row.ts';

/** Where ingest stores counted scans, and where erasure removes them. */
export type RowStore = (StoresWithCounts | StoresAfterCounts) & {
  /** The ids of those of these scans that are stored. */
  findStored(
    scans: readonly Pick<Scan, 'id' | 'accountId' | 'qrCodeId' | 'atMs'>[],
    limits: QueryLimits,
  ): Promise<ReadonlySet<Uuid>>;
  /** Removes the scans of codes. Idempotent; calls `renew` while it works. */
  erase(
    accounts: readonly Uuid[],
    codes: readonly Uuid[],
    renew: () => Promise<void>,
    signal?: AbortSignal,
  ): Promise<ErasedRows>;
};

/** A store in the database of the counts: both are written in one transaction. */
type StoresWithCounts = {
  readonly stores: 'with_counts';
  /** Creates the tables that rows of these moments need, before the transaction. */
  prepare(moments: readonly number[]): Promise<void>;
  insert(tx: Database, rows: readonly ScanRow[]): Promise<void>;
  /** Begins to keep figures of the codes and accounts with at least so many scans; returns of how many. */
  rollUp(minScans: number, signal?: AbortSignal): Promise<number>;
};

/** A store of its own: rows are written when they are counted, and repeated until they are there. */
export type StoresAfterCounts = {
  readonly stores: 'after_counts';
  /** Rows that are sent twice under the same token are stored once. */
  insert(rows: readonly ScanRow[], token: string, limits: QueryLimits): Promise<void>;
  /** Rows that may have been stored before, by this process or an earlier one. */
  insertMissing(
    span: StoredSpan,
    rows: readonly ScanRow[],
    token: string,
    limits: QueryLimits,
  ): Promise<void>;
  /** The last position after this one that has rows; this one if there are none. */
  findLastPosition(
    log: Pick<StoredSpan, 'shard' | 'log'>,
    after: number,
    limits: QueryLimits,
  ): Promise<number>;
  /** Why the store refused the rows themselves; null for any other error. */
  toRefusal(error: unknown): string | null;
};

/** Positions of a log, after the first and up to the last. */
export type StoredSpan = {
  readonly shard: number;
  readonly log: number;
  readonly afterPosition: number;
  readonly toPosition: number;
};

/** The codes whose scans queries may still see, and why. */
type ErasedRows = { readonly visible: ReadonlySet<string>; readonly reason: string };
