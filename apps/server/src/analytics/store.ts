import type { Uuid } from '../kernel/ids.ts';
import type { Cut, Period } from '../kernel/period.ts';
import type { ClickHouse, Limits } from '../platform/clickhouse.ts';
import type {
  CityCount,
  CodeCount,
  CountryCount,
  Entry,
  Scope,
  StoredScan,
  ToolCount,
  Totals,
} from './analytics.ts';
import { daysAndEdges, type Grain, grainOf, isEmpty, lastBefore, type Span, spanOf, within } from './span.ts';

/** How each question is asked: at most so long, and ended with the signal. */
export type Asking = { readonly clickhouse: Pick<ClickHouse, 'query'>; readonly limits: Limits };

/** Scans and distinct visitors of a period. */
export async function totals({ clickhouse, limits }: Asking, scope: Scope, period: Period): Promise<Totals> {
  const span = spanOf(period);
  const grain = grainOf([span.fromMs, span.toMs]);
  const [row] = await clickhouse.query<Totals>(
    `select count() as scans, groupBitmap(visitor_number) as visitors
       from scans
      where ${of(scope)} and ${within(span, grain)}`,
    scopeParams(scope),
    { ...limits, projection: rollUp(scope, grain) },
  );
  return row ?? { scans: 0, visitors: 0 };
}

/** Scans and distinct visitors of every entry of a series. */
export async function series(
  { clickhouse, limits }: Asking,
  scope: Scope,
  period: Period,
  cuts: readonly Cut[],
): Promise<Entry[]> {
  const span = spanOf(period);
  if (isEmpty(span)) return cuts.map(({ date }) => ({ date, scans: 0, visitors: 0 }));
  // What lies before the span is not counted: the border of the entry that holds its beginning may move there.
  const first = cuts.findLastIndex(cut => cut.startMs <= span.fromMs);
  const borders = cuts.map((cut, index) => (index === first ? span.fromMs : cut.startMs)).slice(first);
  const grain = grainOf([...borders, span.fromMs, span.toMs]);
  const border = lastBefore(borders, grain);
  const rows = await clickhouse.query<Totals & { border: number }>(
    `select ${border.sql} as border, count() as scans, groupBitmap(visitor_number) as visitors
       from scans
      where ${of(scope)} and ${within(span, grain)}
      group by border`,
    scopeParams(scope),
    { ...limits, projection: rollUp(scope, grain) },
  );
  const found = new Map(rows.map(row => [border.toMs(row.border), row]));
  return cuts.map(({ date }, index) => {
    const { scans = 0, visitors = 0 } = found.get(borders[index - first] ?? Number.NaN) ?? {};
    return { date, scans, visitors };
  });
}

export const topCountries = (asking: Asking, scope: Scope, period: Period) =>
  countBy<CountryCount>(asking, scope, period, {
    columns: 'country',
    most: 10,
    projection: `${level(scope)}_places`,
  });

export const topCities = (asking: Asking, scope: Scope, period: Period) =>
  countBy<CityCount>(asking, scope, period, {
    columns: 'city, country',
    most: 10,
    projection: `${level(scope)}_places`,
  });

/** By device and browser; there are few of each. */
export const tools = (asking: Asking, scope: Scope, period: Period) =>
  countBy<ToolCount>(asking, scope, period, {
    columns: 'device, browser',
    most: 1_000,
    projection: `${level(scope)}_days`,
  });

export async function topCodes(asking: Asking, scope: Scope, period: Period): Promise<CodeCount[]> {
  const rows = await countBy<{ qr_code_id: Uuid; scans: number }>(asking, scope, period, {
    columns: 'qr_code_id',
    most: 10,
    projection: 'code_days',
  });
  return rows.map(({ qr_code_id: qrCodeId, scans }) => ({ qrCodeId, scans }));
}

/** Scans by some columns, most first, then by the columns. Whole days are added to what lies at the edges. */
function countBy<Row extends object>(
  { clickhouse, limits }: Asking,
  scope: Scope,
  period: Period,
  { columns, most, projection }: { columns: string; most: number; projection: string },
): Promise<Row[]> {
  const pieces = daysAndEdges(spanOf(period)).map(
    piece =>
      `select ${columns}, count() as scans from scans where ${of(scope)} and ${piece} group by ${columns}`,
  );
  const counted =
    pieces.length === 1
      ? pieces[0]
      : `select ${columns}, sum(pieces.scans) as scans from (${pieces.join('\n union all ')}) as pieces group by ${columns}`;
  return clickhouse.query<Row>(
    `${counted} order by scans desc, ${columns} limit ${most}`,
    scopeParams(scope),
    { ...limits, projection },
  );
}

/**
 * The quarter of an hour, counted from the newest, that holds the scan at an offset; and how many scans come before it.
 * Null where there are fewer scans.
 */
export async function findQuarter(
  { clickhouse, limits }: Asking,
  scope: Scope,
  period: Period,
  offset: number,
): Promise<{ readonly endMs: number; readonly before: number } | null> {
  const span = spanOf(period);
  const grain = grainOf([span.fromMs, span.toMs]) === 'moment' ? 'moment' : 'quarter';
  const [row] = await clickhouse.query<{ quarter: number; before: number }>(
    `select toUInt32(quarter) as quarter, before
       from (select quarter, held, sum(held) over (order by quarter desc) - held as before
               from (select toStartOfFifteenMinutes(at) as quarter, count() as held
                       from scans
                      where ${of(scope)} and ${within(span, grain)}
                      group by quarter))
      where before <= {offset: UInt64} and before + held > {offset: UInt64}`,
    { ...scopeParams(scope), offset },
    limits,
  );
  return row ? { endMs: (row.quarter + 15 * 60) * 1000, before: row.before } : null;
}

/** Scans of a span, newest first. They lie in this order, so that no more is read than is skipped and returned. */
export function listScans(
  { clickhouse, limits }: Asking,
  scope: Scope,
  span: Span,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<StoredScan[]> {
  return clickhouse.query<StoredScan>(
    `${newestFirst(scope, span)} limit {limit: UInt64} offset {offset: UInt64}`,
    { ...scopeParams(scope), limit, offset },
    limits,
  );
}

const readAtOnce = 50_000;

/**
 * All scans of a period, newest first, some at a time. Asked for in steps, each of which begins where the last one ended,
 * since the engine in the process makes a whole answer before it gives the first row.
 */
export async function* readScans(
  clickhouse: Pick<ClickHouse, 'stream'>,
  limits: Limits,
  scope: Scope,
  period: Period,
): AsyncGenerator<StoredScan[]> {
  const { fromMs, toMs } = spanOf(period);
  let step = newestFirst(scope, { fromMs, toMs });
  for (;;) {
    let count = 0;
    let last: StoredScan | undefined;
    for await (const rows of clickhouse.stream<ScanRow>(
      `${step} limit ${readAtOnce}`,
      scopeParams(scope),
      limits,
    )) {
      const scans = rows.map(toScan);
      yield scans;
      count += scans.length;
      last = scans.at(-1);
    }
    if (!last || count < readAtOnce) return;
    const before = `(toUnixTimestamp64Milli(at), id) < (${last.atMs}, toUUID('${last.id}'))`;
    step = newestFirst(scope, { fromMs, toMs: last.atMs + 1 }, before);
  }
}

/** The columns in the order of `newestFirst`. */
type ScanRow = readonly [Uuid, number, string, string, string, string, string, boolean];

const toScan = ([id, atMs, country, region, city, device, browser, isUnique]: ScanRow): StoredScan => ({
  id,
  atMs,
  country,
  region,
  city,
  device,
  browser,
  isUnique,
});

const newestFirst = (scope: Scope, span: Span, condition = 'true') =>
  `select id, toUnixTimestamp64Milli(at) as atMs, country, region, city, device, browser, is_unique as isUnique
     from scans
    where ${of(scope)} and ${within(span, 'moment')} and ${condition}
    order by at desc, id desc`;

/** Which roll-ups hold a scope: those of the account know no codes, so nothing can be left out of them. */
const level = ({ qrCodeId, without = [] }: Scope) =>
  qrCodeId === undefined && without.length === 0 ? 'account' : 'code';

const rollUp = (scope: Scope, grain: Grain) => `${level(scope)}_${grain === 'day' ? 'days' : 'quarters'}`;

/** The condition that a scan belongs to a scope. */
function of({ qrCodeId, without = [] }: Scope): string {
  const owner = 'account_id = {account: UUID} and mode = {mode: String}';
  if (qrCodeId !== undefined) return `${owner} and qr_code_id = {code: UUID}`;
  return without.length === 0 ? owner : `${owner} and qr_code_id not in {without: Array(UUID)}`;
}

const scopeParams = ({ accountId, mode, qrCodeId, without = [] }: Scope) => ({
  account: accountId,
  mode,
  ...(qrCodeId === undefined ? {} : { code: qrCodeId }),
  ...(without.length === 0 ? {} : { without }),
});
