import type { Database } from '../platform/postgres/postgres.ts';
import {
  type MonthRange,
  readAccountSums,
  readCodeSums,
  readTopCodes,
  type StoredSum,
} from '../scans/retention/month-sums.ts';
import type { SumKind } from '../scans/stores/month-storage.ts';
import type { Totals } from '../scans/stores/scan-queries.ts';
import type { Scope } from '../scans/stores/scope.ts';
import type { CodeCount, PlacementCount, SeriesPoint, TargetCount } from './analytics.ts';

/** What is left of the removed months of a period. */
export type Sums = readonly StoredSum[];

export const readSums = (on: Database, scope: Scope, months: MonthRange): Promise<Sums> =>
  scope.qrCodeId === undefined
    ? readAccountSums(on, scope, scope.excludedCodes ?? [], months)
    : readCodeSums(on, scope, scope.qrCodeId, months);

/** By value, over all months. Visitors add up, since a visitor counts once per window and no window spans two months. */
export function sumByValue(sums: Sums, kind: SumKind): ReadonlyMap<string, Totals> {
  const totals = new Map<string, Totals>();
  for (const { value, scans, visitors } of sums.filter(sum => sum.kind === kind && sum.scans > 0))
    totals.set(value, addTotals(totals.get(value), { scans, visitors }));
  return totals;
}

export const sumTotals = (sums: Sums): Totals => sumByValue(sums, 'total').get('') ?? none;

/** Scans by value with those of removed months added, most first, then by value. */
export function mergeCounts(
  rows: readonly (readonly [value: string, scans: number])[],
  sums: ReadonlyMap<string, Totals>,
): ReadonlyMap<string, number> {
  const merged = new Map([...sums].map(([value, { scans }]) => [value, scans]));
  for (const [value, scans] of rows) merged.set(value, (merged.get(value) ?? 0) + scans);
  return new Map([...merged].sort(([a, ofA], [b, ofB]) => ofB - ofA || compareBytes(a, b)));
}

export const addTargets = (rows: readonly TargetCount[], sums: Sums): TargetCount[] =>
  mergeTotals(rows, row => row.targetId, sumByValue(sums, 'target')).map(([targetId, totals]) => ({
    targetId,
    ...totals,
  }));

export const addPlacements = (rows: readonly PlacementCount[], sums: Sums): PlacementCount[] =>
  mergeTotals(rows, row => row.placement, sumByValue(sums, 'placement')).map(([placement, totals]) => ({
    placement,
    ...totals,
  }));

function mergeTotals<Row extends Totals>(
  rows: readonly Row[],
  getValue: (row: Row) => string,
  sums: ReadonlyMap<string, Totals>,
): (readonly [value: string, totals: Totals])[] {
  const merged = new Map(sums);
  for (const row of rows) merged.set(getValue(row), addTotals(merged.get(getValue(row)), row));
  return [...merged].sort(([a, { scans: ofA }], [b, { scans: ofB }]) => ofB - ofA || compareBytes(a, b));
}

/** A series by month with its removed months. */
export function addMonths(entries: readonly SeriesPoint[], sums: Sums): SeriesPoint[] {
  const months = new Map(sums.filter(({ kind }) => kind === 'total').map(sum => [`${sum.month}-01`, sum]));
  return entries.map(entry => ({ date: entry.date, ...addTotals(entry, months.get(entry.date)) }));
}

const none: Totals = { scans: 0, visitors: 0 };

export const addTotals = (a: Totals = none, b: Totals = none): Totals => ({
  scans: a.scans + b.scans,
  visitors: a.visitors + b.visitors,
});

/** As both stores sort text. */
const compareBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

type CountCodes = {
  /** Those with the most scans. */
  top(limit: number): Promise<readonly CodeCount[]>;
  /** All of these. */
  count(codes: readonly CodeCount['qrCodeId'][]): Promise<readonly CodeCount[]>;
};

/**
 * The codes with the most scans in two places together. A code that is on neither list has at most what the last of both
 * lists have, so lists that are long enough decide.
 */
export async function findTopCodes(
  places: readonly [CountCodes, CountCodes],
  limit: number,
): Promise<CodeCount[]> {
  for (let length = 10 * limit; ; length *= 10) {
    const lists = await Promise.all(places.map(place => place.top(length)));
    const ids = [...new Set(lists.flat().map(({ qrCodeId }) => qrCodeId))];
    const counts = await Promise.all(places.map(place => place.count(ids)));
    const sums = new Map<CodeCount['qrCodeId'], number>();
    for (const { qrCodeId, scans } of counts.flat()) sums.set(qrCodeId, (sums.get(qrCodeId) ?? 0) + scans);
    const ranked = ids
      .map(qrCodeId => ({ qrCodeId, scans: sums.get(qrCodeId) ?? 0 }))
      .sort((a, b) => b.scans - a.scans || compareBytes(a.qrCodeId, b.qrCodeId));
    const most = lists
      .map(list => (list.length < length ? 0 : list.at(-1)!.scans))
      .reduce((sum, scans) => sum + scans, 0);
    if (most === 0 || (ranked[limit - 1]?.scans ?? 0) > most) return ranked.slice(0, limit);
  }
}

/** The codes of removed months. */
export const countRemoved = (on: Database, scope: Scope, months: MonthRange): CountCodes => {
  const excludedCodes = scope.excludedCodes ?? [];
  return {
    top: limit => readTopCodes(on, scope, { excludedCodes, limit }, months),
    count: codes => readTopCodes(on, scope, { excludedCodes, codes, limit: codes.length }, months),
  };
};
