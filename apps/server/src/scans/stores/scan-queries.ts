import type { Uuid } from '../../kernel/ids.ts';
import type { ScanPosition } from '../log/log-cursor.ts';
import type { FilterName, Scope } from './scope.ts';
import type { Offset, TimeRange } from './time-range.ts';

/** A scan as it is stored. */
export type StoredScan = {
  readonly id: Uuid;
  readonly atMs: number;
  readonly country: string;
  readonly region: string;
  readonly city: string;
  readonly device: string;
  readonly browser: string;
  readonly isUnique: boolean;
  readonly language: string;
  readonly targetId: Uuid;
  readonly ruleId: Uuid;
  readonly placement: string;
};

/** A scan of any code of an account. */
export type AccountScan = StoredScan & { readonly qrCodeId: Uuid };

/** A stored scan with its position in the log. */
export type LoggedScan = AccountScan & ScanPosition & { readonly shard: number };

/** A city, by its name and country. */
export type Place = { readonly city: string; readonly country: string };

export type Totals = { readonly scans: number; readonly visitors: number };

/** Scans at an hour of the week, from 0 for Monday at midnight to 167. */
export type WeekHourCount = { readonly hourOfWeek: number; readonly scans: number };

/** The columns by which scans are counted. */
export type GroupColumn = FilterName | 'qr_code_id';
type Grouped<Column extends GroupColumn> = { readonly [Name in Column]: string };

/** Which scans of a result, in its order. */
export type RowRange = { readonly limit: number; readonly offset: number };

/** What a shard has after one position up to another. */
export type LogSpan = { readonly shard: number; readonly after: ScanPosition; readonly upTo: ScanPosition };

/** How many scans at most: of each shard, and of all. */
type ScanLimits = { readonly perShard: number; readonly limit: number };

/** `timeoutMs` holds on both sides: the caller stops waiting, and the store stops working. */
export type QueryLimits = {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Called when the store has stopped working, which may be after the caller has its error. */
  readonly onSettled?: () => void;
};

/** Queries about stored scans. What is asked is decided in analytics/; a store only answers. */
export type ScanQueries = {
  /** Scans and distinct visitors of a range. */
  totals(scope: Scope, range: TimeRange, limits: QueryLimits): Promise<Totals>;
  /** The same by the values of a column, most scans first. There are few values: those of one code. */
  totalsBy<Column extends 'target_id' | 'placement'>(
    scope: Scope,
    range: TimeRange,
    column: Column,
    limits: QueryLimits,
  ): Promise<(Totals & Grouped<Column>)[]>;
  /** The same from each of these moments to the next. They ascend, and the first is the beginning of the range. */
  series(
    scope: Scope,
    range: TimeRange,
    starts: readonly number[],
    limits: QueryLimits,
  ): Promise<ReadonlyMap<number, Totals>>;
  /** Scans by the hour of the week on clocks with these offsets. The first begins with the range. */
  weekHours(
    scope: Scope,
    range: TimeRange,
    offsets: readonly Offset[],
    limits: QueryLimits,
  ): Promise<WeekHourCount[]>;
  /** Scans by the values of columns, most scans first, then in the order of the columns. */
  countBy<Column extends GroupColumn>(
    scope: Scope,
    range: TimeRange,
    { columns, limit }: { readonly columns: readonly Column[]; readonly limit: number },
    limits: QueryLimits,
  ): Promise<(Grouped<Column> & { readonly scans: number })[]>;
  /**
   * Distinct visitors of each place among up to `maxScans` of its scans, whichever the store finds first: where there are
   * more scans, a lower bound that costs little.
   */
  visitorsIn(
    scope: Scope,
    range: TimeRange,
    places: readonly Place[],
    maxScans: number,
    limits: QueryLimits,
  ): Promise<readonly number[]>;
  /** The same of all other places together. */
  visitorsOutside(
    scope: Scope,
    range: TimeRange,
    places: readonly Place[],
    maxScans: number,
    limits: QueryLimits,
  ): Promise<number>;
  /**
   * The quarter hour, from the newest, that holds the scan at an offset; and how many scans come before it. Null if there are
   * fewer scans.
   */
  findQuarter(
    scope: Scope,
    range: TimeRange,
    offset: number,
    limits: QueryLimits,
  ): Promise<{ readonly endMs: number; readonly before: number } | null>;
  /** Newest first. Reads the rows that it skips. */
  list(scope: Scope, range: TimeRange, rows: RowRange, limits: QueryLimits): Promise<StoredScan[]>;
  /** All of a range, newest first, some at a time; the time limit is that of a step. */
  read(scope: Scope, range: TimeRange, limits: QueryLimits): AsyncGenerator<StoredScan[]>;
  /** All of a range code by code, within a code newest first. */
  readByCode(scope: Scope, range: TimeRange, limits: QueryLimits): AsyncGenerator<AccountScan[]>;
  /** Each shard in the order of its log. */
  readLog(
    scope: Scope,
    spans: readonly LogSpan[],
    atMost: ScanLimits,
    limits: QueryLimits,
  ): Promise<LoggedScan[]>;
  /** Scans of codes by day of UTC, from this moment on. The day is the number of days since 1970. */
  countByDay(
    accountId: Uuid,
    codes: readonly Uuid[],
    fromMs: number,
    limits: QueryLimits,
  ): Promise<{ readonly qrCodeId: Uuid; readonly day: number; readonly scans: number }[]>;
  /** Scans of the live codes of accounts, from a day of UTC on. */
  countByAccount(
    accounts: readonly Uuid[],
    fromMs: number,
    limits: QueryLimits,
  ): Promise<{ readonly accountId: Uuid; readonly scans: number }[]>;
};
