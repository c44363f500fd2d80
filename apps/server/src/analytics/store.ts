import type { Uuid } from '../kernel/ids.ts';
import type { RunQuery } from '../limits/shares/query-share.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';
import type {
  Place,
  RowRange,
  ScanQueries,
  StoredScan,
  Totals,
  WeekHourCount,
} from '../scans/stores/scan-queries.ts';
import type { Scope } from '../scans/stores/scope.ts';
import { isEmpty, type TimeRange, toTimeRange } from '../scans/stores/time-range.ts';
import type {
  AgentCount,
  CityCount,
  CodeCount,
  CountryCount,
  PlacementCount,
  SeriesPoint,
  TargetCount,
} from './analytics.ts';
import type { Bucket, Period } from './period.ts';
import { listOffsets } from './week-hours.ts';

/** Where scans are stored, and what runs a query when it is its turn. */
export type QueryContext = { readonly scans: ScanQueries; readonly run: RunQuery };

/** Scans and distinct visitors of a period. */
export const totals = ({ scans, run }: QueryContext, scope: Scope, period: Period): Promise<Totals> =>
  run(limits => scans.totals(scope, toTimeRange(period), limits));

/** The same by where they led. */
export async function targets(
  { scans, run }: QueryContext,
  scope: Scope,
  period: Period,
): Promise<TargetCount[]> {
  const rows = await run(limits => scans.totalsBy(scope, toTimeRange(period), 'target_id', limits));
  return rows.map(({ target_id: targetId, ...counted }) => ({ ...counted, targetId }));
}

export const placements = (
  { scans, run }: QueryContext,
  scope: Scope,
  period: Period,
): Promise<PlacementCount[]> =>
  run(limits => scans.totalsBy(scope, toTimeRange(period), 'placement', limits));

/** Scans and distinct visitors of every bucket of a time series. */
export async function series(
  { scans, run }: QueryContext,
  scope: Scope,
  period: Period,
  buckets: readonly Bucket[],
): Promise<SeriesPoint[]> {
  const range = toTimeRange(period);
  if (isEmpty(range)) return buckets.map(({ date }) => ({ date, scans: 0, visitors: 0 }));
  // Nothing before the range is counted, so the first bucket may begin where the range does.
  const first = buckets.findLastIndex(bucket => bucket.startMs <= range.fromMs);
  const starts = buckets
    .map((bucket, index) => (index === first ? range.fromMs : bucket.startMs))
    .slice(first)
    .filter(startMs => startMs < range.toMs);
  const found = await run(limits => scans.series(scope, range, starts, limits));
  return buckets.map(({ date }, index) => {
    const { scans = 0, visitors = 0 } = found.get(starts[index - first] ?? Number.NaN) ?? {};
    return { date, scans, visitors };
  });
}

/** Scans at each hour of the week, on the clocks of the zone; hours without scans are left out. */
export async function weekHours(
  { scans, run }: QueryContext,
  scope: Scope,
  period: Period,
): Promise<WeekHourCount[]> {
  const range = toTimeRange(period);
  if (isEmpty(range)) return [];
  const offsets = listOffsets(period.zone, range);
  return await run(limits => scans.weekHours(scope, range, offsets, limits));
}

/** Entries of a top list. */
export const topLength = 10;

/** All of them, for a list to which those of removed months are added. */
export const maxCountries = 1_000;

export const topCountries = (
  { scans, run }: QueryContext,
  scope: Scope,
  period: Period,
  limit = topLength,
): Promise<CountryCount[]> =>
  run(limits => scans.countBy(scope, toTimeRange(period), { columns: ['country'], limit }, limits));

export const topCities = ({ scans, run }: QueryContext, scope: Scope, period: Period): Promise<CityCount[]> =>
  run(limits =>
    scans.countBy(scope, toTimeRange(period), { columns: ['city', 'country'], limit: topLength }, limits),
  );

/** Enough scans to find a few visitors among them. */
const sampledScans = 1_000;

/** Visitors of each place, or fewer where it has very many scans. */
export const visitorsIn = (
  { scans, run }: QueryContext,
  scope: Scope,
  period: Period,
  places: readonly Place[],
): Promise<readonly number[]> =>
  run(limits => scans.visitorsIn(scope, toTimeRange(period), places, sampledScans, limits));

/** The same of all other places together. */
export const visitorsOutside = (
  { scans, run }: QueryContext,
  scope: Scope,
  period: Period,
  places: readonly Place[],
): Promise<number> =>
  run(limits => scans.visitorsOutside(scope, toTimeRange(period), places, sampledScans, limits));

/** By device and browser; there are few of each. */
export const agents = ({ scans, run }: QueryContext, scope: Scope, period: Period): Promise<AgentCount[]> =>
  run(limits =>
    scans.countBy(scope, toTimeRange(period), { columns: ['device', 'browser'], limit: 1_000 }, limits),
  );

export async function topCodes(
  { scans, run }: QueryContext,
  scope: Scope,
  period: Period,
  limit = topLength,
): Promise<CodeCount[]> {
  const rows = await run(limits =>
    scans.countBy(scope, toTimeRange(period), { columns: ['qr_code_id'], limit }, limits),
  );
  return rows.map(({ qr_code_id: qrCodeId, scans }) => ({ qrCodeId, scans }));
}

/** The quarter hour, from the newest, that holds the scan at an offset; null if there are fewer scans. */
export const findQuarter = ({ scans, run }: QueryContext, scope: Scope, period: Period, offset: number) =>
  run(limits => scans.findQuarter(scope, toTimeRange(period), offset, limits));

/** Scans of a range, newest first. */
export const listScans = (
  { scans, run }: QueryContext,
  scope: Scope,
  range: TimeRange,
  rows: RowRange,
): Promise<StoredScan[]> => run(limits => scans.list(scope, range, rows, limits));

const sumNotRedirected = sql(
  'sum-not-redirected',
  `select reason, sum(requests)::float8 as requests from not_redirected
    where qr_code_id = $1 and day between $2 and $3 group by reason order by reason`,
);

/** Requests for a code that were not redirected, by reason: of the days of UTC that the period touches. */
export async function notRedirected(
  on: Database,
  qrCodeId: Uuid,
  { startMs, endMs }: Period,
): Promise<Readonly<Record<string, number>>> {
  const formatDay = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);
  const rows = await on.query<{ reason: string; requests: number }>(sumNotRedirected, [
    qrCodeId,
    formatDay(startMs),
    formatDay(endMs - 1),
  ]);
  return Object.fromEntries(rows.map(({ reason, requests }) => [reason, requests]));
}
