import type { Mode } from '../../kernel/caller.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { Month } from './month.ts';
import type { GroupColumn } from './scan-queries.ts';

/** What the scans of a code are summed by, and the column of each; `total` is all of them. */
export const sumColumns = {
  device: 'device',
  browser: 'browser',
  country: 'country',
  target: 'target_id',
  placement: 'placement',
} as const satisfies Record<string, GroupColumn>;

export const sumKinds = Object.keys(sumColumns) as readonly (keyof typeof sumColumns)[];
export type SumKind = 'total' | keyof typeof sumColumns;

/** Kinds whose distinct visitors are kept besides those of the total. */
export const hasVisitors = (kind: SumKind): boolean => kind === 'target' || kind === 'placement';

/** A figure of a month. The code zero stands for the whole account, of which only the visitors are read. */
export type MonthSum = {
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly qrCodeId: Uuid;
  readonly kind: SumKind;
  readonly value: string;
  readonly scans: number;
  readonly visitors: number;
  /** Visitors of the month who scanned no other code of the account. */
  readonly soleVisitors: number;
};

/** Whole months of scans: their sums, and their removal. */
export type MonthStore = {
  /** The months that have scans, the oldest first. */
  listMonths(): Promise<readonly Month[]>;
  /** The sums of all codes but these. A key may come in several pieces, which add up. */
  readSums(
    month: Month,
    excludedCodes: readonly Uuid[],
    signal?: AbortSignal,
  ): AsyncGenerator<readonly MonthSum[]>;
  /**
   * Removes the scans of a month, without touching another; in this transaction, where the store can. False if something
   * holds them: try again later.
   */
  drop(tx: Database, month: Month): Promise<boolean>;
};
