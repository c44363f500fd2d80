import type { Uuid } from '../kernel/ids.ts';
import type { ClickHouse, QueryOptions } from '../platform/clickhouse.ts';
import { type Database, sql } from '../platform/postgres.ts';
import type {
  AccountScan,
  AgentCount,
  CityCount,
  CodeCount,
  CountryCount,
  PlacementCount,
  Scope,
  SeriesPoint,
  StoredScan,
  TargetCount,
  Totals,
  WeekHourCount,
} from './analytics.ts';
import type { Bucket, Period } from './period.ts';
import { countSource, type GroupColumn, quarterSource, visitorSource } from './roll-ups.ts';
import { scopeParams, whereScope } from './scope.ts';
import {
  daysAndEdges,
  inRange,
  isEmpty,
  lastBefore,
  localSeconds,
  rangeOf,
  type TimeRange,
} from './time-range.ts';
import { offsetsIn } from './week-hours.ts';

/** Where queries run, and their time limit and abort signal. */
export type QueryContext = { readonly clickhouse: Pick<ClickHouse, 'query'>; readonly limits: QueryOptions };

/** Scans and distinct visitors of a period. */
export async function totals(
  { clickhouse, limits }: QueryContext,
  scope: Scope,
  period: Period,
): Promise<Totals> {
  const range = rangeOf(period);
  const { grain, preference } = visitorSource(scope, [range.fromMs, range.toMs]);
  const [row] = await clickhouse.query<Totals>(
    `select count() as scans, groupBitmap(visitor_number) as visitors
       from scans
      where ${whereScope(scope)} and ${inRange(range, grain)}`,
    scopeParams(scope),
    { ...limits, ...preference },
  );
  return row ?? { scans: 0, visitors: 0 };
}

/** Scans and distinct visitors of a period, by where they led. */
export async function targets(context: QueryContext, scope: Scope, period: Period): Promise<TargetCount[]> {
  const rows = await totalsBy<Totals & { target_id: Uuid }>(context, scope, period, 'target_id');
  return rows.map(({ target_id: targetId, ...counted }) => ({ ...counted, targetId }));
}

export const placements = (context: QueryContext, scope: Scope, period: Period): Promise<PlacementCount[]> =>
  totalsBy<PlacementCount>(context, scope, period, 'placement');

/** Most scans first. There are few values of each: those of one code. */
function totalsBy<Row extends Totals>(
  { clickhouse, limits }: QueryContext,
  scope: Scope,
  period: Period,
  column: 'target_id' | 'placement',
): Promise<Row[]> {
  const range = rangeOf(period);
  const { grain, preference } = visitorSource(scope, [range.fromMs, range.toMs], [column]);
  return clickhouse.query<Row>(
    `select ${column}, count() as scans, groupBitmap(visitor_number) as visitors
       from scans
      where ${whereScope(scope)} and ${inRange(range, grain)}
      group by ${column} order by scans desc, ${column}`,
    scopeParams(scope),
    { ...limits, ...preference },
  );
}

/** Scans and distinct visitors of every bucket of a time series. */
export async function series(
  { clickhouse, limits }: QueryContext,
  scope: Scope,
  period: Period,
  buckets: readonly Bucket[],
): Promise<SeriesPoint[]> {
  const range = rangeOf(period);
  if (isEmpty(range)) return buckets.map(({ date }) => ({ date, scans: 0, visitors: 0 }));
  // Nothing before the range is counted, so the first bucket may begin where the range does.
  const first = buckets.findLastIndex(bucket => bucket.startMs <= range.fromMs);
  const starts = buckets
    .map((bucket, index) => (index === first ? range.fromMs : bucket.startMs))
    .slice(first);
  const { grain, preference } = visitorSource(scope, [...starts, range.fromMs, range.toMs]);
  const bucketStart = lastBefore(starts, grain);
  const rows = await clickhouse.query<Totals & { start: number }>(
    `select ${bucketStart.sql} as start, count() as scans, groupBitmap(visitor_number) as visitors
       from scans
      where ${whereScope(scope)} and ${inRange(range, grain)}
      group by start`,
    scopeParams(scope),
    { ...limits, ...preference },
  );
  const found = new Map(rows.map(row => [bucketStart.toMs(row.start), row]));
  return buckets.map(({ date }, index) => {
    const { scans = 0, visitors = 0 } = found.get(starts[index - first] ?? Number.NaN) ?? {};
    return { date, scans, visitors };
  });
}

/** Scans at each hour of the week, on the clocks of the zone; hours without scans are left out. */
export async function weekHours(
  { clickhouse, limits }: QueryContext,
  scope: Scope,
  period: Period,
): Promise<WeekHourCount[]> {
  const range = rangeOf(period);
  if (isEmpty(range)) return [];
  const offsets = offsetsIn(period.zone, range);
  const { grain, preference } = quarterSource(scope, [
    range.fromMs,
    range.toMs,
    ...offsets.flatMap(({ startMs, offsetMs }) => [startMs, offsetMs]),
  ]);
  return clickhouse.query<WeekHourCount>(
    // The first of January 1970 was a Thursday: 72 hours into its week.
    `select (intDiv(${localSeconds(offsets, grain)}, 3600) + 72) % 168 as hourOfWeek, count() as scans
       from scans
      where ${whereScope(scope)} and ${inRange(range, grain)}
      group by hourOfWeek`,
    scopeParams(scope),
    { ...limits, ...preference },
  );
}

export const topCountries = (context: QueryContext, scope: Scope, period: Period) =>
  countBy<CountryCount>(context, scope, period, { columns: ['country'], limit: 10 });

export const topCities = (context: QueryContext, scope: Scope, period: Period) =>
  countBy<CityCount>(context, scope, period, { columns: ['city', 'country'], limit: 10 });

/** By device and browser; there are few of each. */
export const agents = (context: QueryContext, scope: Scope, period: Period) =>
  countBy<AgentCount>(context, scope, period, { columns: ['device', 'browser'], limit: 1_000 });

export async function topCodes(context: QueryContext, scope: Scope, period: Period): Promise<CodeCount[]> {
  const rows = await countBy<{ qr_code_id: Uuid; scans: number }>(context, scope, period, {
    columns: ['qr_code_id'],
    limit: 10,
  });
  return rows.map(({ qr_code_id: qrCodeId, scans }) => ({ qrCodeId, scans }));
}

/** Scans grouped by columns, most first, then by the columns. Adds up the whole days and the edges. */
function countBy<Row extends object>(
  { clickhouse, limits }: QueryContext,
  scope: Scope,
  period: Period,
  { columns: names, limit }: { columns: readonly GroupColumn[]; limit: number },
): Promise<Row[]> {
  const columns = names.join(', ');
  const range = rangeOf(period);
  const { grain, preference } = countSource(scope, names);
  const ranges = grain === 'day' ? daysAndEdges(range) : [inRange(range, grain)];
  const pieces = ranges.map(
    piece =>
      `select ${columns}, count() as scans from scans where ${whereScope(scope)} and ${piece} group by ${columns}`,
  );
  const counted =
    pieces.length === 1
      ? pieces[0]
      : `select ${columns}, sum(pieces.scans) as scans from (${pieces.join('\n union all ')}) as pieces group by ${columns}`;
  return clickhouse.query<Row>(
    `${counted} order by scans desc, ${columns} limit ${limit}`,
    scopeParams(scope),
    { ...limits, ...preference },
  );
}

/**
 * The quarter hour, from the newest, that holds the scan at an offset; and how many scans come before it. Null if there are
 * fewer scans.
 */
export async function findQuarter(
  { clickhouse, limits }: QueryContext,
  scope: Scope,
  period: Period,
  offset: number,
): Promise<{ readonly endMs: number; readonly before: number } | null> {
  const range = rangeOf(period);
  const { grain } = quarterSource(scope, [range.fromMs, range.toMs]);
  const [row] = await clickhouse.query<{ quarter: number; before: number }>(
    `select toUInt32(quarter) as quarter, before
       from (select quarter, held, sum(held) over (order by quarter desc) - held as before
               from (select toStartOfFifteenMinutes(at) as quarter, count() as held
                       from scans
                      where ${whereScope(scope)} and ${inRange(range, grain)}
                      group by quarter))
      where before <= {offset: UInt64} and before + held > {offset: UInt64}`,
    { ...scopeParams(scope), offset },
    limits,
  );
  return row ? { endMs: (row.quarter + 15 * 60) * 1000, before: row.before } : null;
}

/** Scans of a range, newest first. This is the sort order of the table, so only skipped and returned rows are read. */
export function listScans(
  { clickhouse, limits }: QueryContext,
  scope: Scope,
  range: TimeRange,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<StoredScan[]> {
  return clickhouse.query<StoredScan>(
    `${newestFirst(scope, range)} limit {limit: UInt64} offset {offset: UInt64}`,
    { ...scopeParams(scope), limit, offset },
    limits,
  );
}

const stepRows = 50_000;

/**
 * All scans of a period, newest first, in chunks. Each query continues where the last one ended, because the in-process
 * engine builds the whole result before it returns the first row.
 */
export async function* readScans(
  clickhouse: Pick<ClickHouse, 'stream'>,
  limits: QueryOptions,
  scope: Scope,
  period: Period,
): AsyncGenerator<StoredScan[]> {
  const { fromMs, toMs } = rangeOf(period);
  let step = newestFirst(scope, { fromMs, toMs });
  for (;;) {
    let count = 0;
    let last: StoredScan | undefined;
    for await (const rows of clickhouse.stream<ScanRow>(
      `${step} limit ${stepRows}`,
      scopeParams(scope),
      limits,
    )) {
      const scans = rows.map(toScan);
      yield scans;
      count += scans.length;
      last = scans.at(-1);
    }
    if (!last || count < stepRows) return;
    const before = `(toUnixTimestamp64Milli(at), id) < (${last.atMs}, toUUID('${last.id}'))`;
    step = newestFirst(scope, { fromMs, toMs: last.atMs + 1 }, before);
  }
}

/**
 * All scans of a period of many codes, code by code as the table has them, so that a step reads only what it returns. Within a
 * code the newest come first.
 */
export async function* readAccountScans(
  clickhouse: Pick<ClickHouse, 'stream'>,
  limits: QueryOptions,
  scope: Scope,
  period: Period,
): AsyncGenerator<AccountScan[]> {
  let condition = 'true';
  for (;;) {
    let count = 0;
    let last: AccountScan | undefined;
    const step = `select ${scanColumns}, qr_code_id from scans
       where ${whereScope(scope)} and ${inRange(rangeOf(period), 'moment')} and ${condition}
       order by qr_code_id desc, at desc, id desc limit ${stepRows}`;
    for await (const rows of clickhouse.stream<[...ScanRow, Uuid]>(step, scopeParams(scope), limits)) {
      const scans = rows.map(row => ({ ...toScan(row as unknown as ScanRow), qrCodeId: row[12] }));
      yield scans;
      count += scans.length;
      last = scans.at(-1);
    }
    if (!last || count < stepRows) return;
    const code = `toUUID('${last.qrCodeId}')`;
    // The plain comparison beside the tuple lets the engine skip the codes that are done.
    condition = `qr_code_id <= ${code} and
      (qr_code_id, toUnixTimestamp64Milli(at), id) < (${code}, ${last.atMs}, toUUID('${last.id}'))`;
  }
}

/** The columns in the order of `newestFirst`. */
type ScanRow = readonly [
  Uuid,
  number,
  string,
  string,
  string,
  string,
  string,
  boolean,
  string,
  Uuid,
  Uuid,
  string,
];

const toScan = ([
  id,
  atMs,
  country,
  region,
  city,
  device,
  browser,
  isUnique,
  language,
  targetId,
  ruleId,
  placement,
]: ScanRow): StoredScan => ({
  id,
  atMs,
  country,
  region,
  city,
  device,
  browser,
  isUnique,
  language,
  targetId,
  ruleId,
  placement,
});

const scanColumns = `id, toUnixTimestamp64Milli(at) as atMs, country, region, city, device, browser,
          is_unique as isUnique, language, target_id as targetId, rule_id as ruleId, placement`;

const newestFirst = (scope: Scope, range: TimeRange, condition = 'true') =>
  `select ${scanColumns}
     from scans
    where ${whereScope(scope)} and ${inRange(range, 'moment')} and ${condition}
    order by at desc, id desc`;

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
  const dayOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);
  const rows = await on.query<{ reason: string; requests: number }>(sumNotRedirected, [
    qrCodeId,
    dayOf(startMs),
    dayOf(endMs - 1),
  ]);
  return Object.fromEntries(rows.map(({ reason, requests }) => [reason, requests]));
}
