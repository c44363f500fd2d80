import type { Uuid } from '../../../apps/server/src/kernel/ids.ts';
import type { GroupColumn } from '../../../apps/server/src/scans/stores/scan-queries.ts';
import { filteredNames, type Scope } from '../../../apps/server/src/scans/stores/scope.ts';
import { dayMs, type Offset, type TimeRange } from '../../../apps/server/src/scans/stores/time-range.ts';
import type { HeldScan } from './held-scan.ts';

/** The scans of a scope and range, computed here. */
export function selectScans(all: readonly HeldScan[], scope: Scope, { fromMs, toMs }: TimeRange) {
  const excluded = new Set(scope.excludedCodes);
  return all.filter(
    scan =>
      scan.account_id === scope.accountId &&
      scan.mode === scope.mode &&
      scan.atMs >= fromMs &&
      scan.atMs < toMs &&
      (scope.qrCodeId === undefined || scan.qr_code_id === scope.qrCodeId) &&
      (scope.codes?.includes(scan.qr_code_id) ?? true) &&
      !excluded.has(scan.qr_code_id) &&
      filteredNames(scope).every(name => scan[name] === scope.filters![name]),
  );
}

export const totalsOf = (scans: readonly HeldScan[]) => ({
  scans: scans.length,
  visitors: new Set(scans.map(scan => scan.visitor_number)).size,
});

export const totalsBy = (scans: readonly HeldScan[], column: 'target_id' | 'placement') =>
  [...Map.groupBy(scans, scan => scan[column])].map(([value, some]) => ({
    [column]: value,
    ...totalsOf(some),
  }));

export const seriesOf = (scans: readonly HeldScan[], starts: readonly number[]) =>
  [...Map.groupBy(scans, scan => starts.findLast(start => start <= scan.atMs)!)].map(([start, some]) => ({
    start,
    ...totalsOf(some),
  }));

/** The first of January 1970 was a Thursday. */
export function weekHoursOf(scans: readonly HeldScan[], offsets: readonly Offset[]) {
  const hourOf = ({ atMs }: HeldScan) => {
    const { offsetMs } = offsets.findLast(({ startMs }) => startMs <= atMs)!;
    return (Math.floor((atMs + offsetMs) / 3_600_000) + 72) % 168;
  };
  return [...Map.groupBy(scans, hourOf)].map(([hourOfWeek, some]) => ({ hourOfWeek, scans: some.length }));
}

export const countsBy = (scans: readonly HeldScan[], columns: readonly GroupColumn[]) =>
  [...Map.groupBy(scans, scan => JSON.stringify(columns.map(column => scan[column])))].map(([, some]) => ({
    ...Object.fromEntries(columns.map(column => [column, some[0]![column]])),
    scans: some.length,
  }));

export const countsByDay = (scans: readonly HeldScan[]) =>
  [...Map.groupBy(scans, scan => `${scan.qr_code_id} ${Math.floor(scan.atMs / dayMs)}`)].map(
    ([key, some]) => ({
      qrCodeId: key.split(' ')[0]!,
      day: Number(key.split(' ')[1]),
      scans: some.length,
    }),
  );

/** ClickHouse orders ids by their second half, then by the first. */
function orderKey(id: Uuid): string {
  const hex = id.replaceAll('-', '');
  return hex.slice(16) + hex.slice(0, 16);
}

const descending = (a: string, b: string) => (a < b ? 1 : a > b ? -1 : 0);

export const newestFirst = (scans: readonly HeldScan[]) =>
  scans.toSorted((a, b) => b.atMs - a.atMs || descending(orderKey(a.id), orderKey(b.id)));

export const byCodeNewestFirst = (scans: readonly HeldScan[]) =>
  newestFirst(scans).sort((a, b) => descending(orderKey(a.qr_code_id), orderKey(b.qr_code_id)));

export const inLogOrder = (scans: readonly HeldScan[]) =>
  scans.toSorted((a, b) => a.shard - b.shard || a.position - b.position || a.place - b.place);

/** A scan as queries answer it. */
export const toStored = (scan: HeldScan) => ({
  id: scan.id,
  atMs: scan.atMs,
  country: scan.country,
  region: scan.region,
  city: scan.city,
  device: scan.device,
  browser: scan.browser,
  isUnique: scan.is_unique === 1,
  language: scan.language,
  targetId: scan.target_id,
  ruleId: scan.rule_id,
  placement: scan.placement,
});
