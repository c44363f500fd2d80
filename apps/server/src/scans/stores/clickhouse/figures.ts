import type { Uuid } from '../../../kernel/ids.ts';
import type { ClickHouse } from '../../../platform/clickhouse/clickhouse.ts';
import type { Place, ScanQueries, Totals, WeekHourCount } from '../scan-queries.ts';
import { countSource, quarterSource, visitorSource } from './roll-ups.ts';
import { scopeParams, whereScope } from './scope-sql.ts';
import { daysAndEdges, inRange, lastBefore, localSeconds } from './time-sql.ts';

type Figures = Pick<
  ScanQueries,
  | 'totals'
  | 'totalsBy'
  | 'series'
  | 'weekHours'
  | 'countBy'
  | 'countByDay'
  | 'countByAccount'
  | 'visitorsIn'
  | 'visitorsOutside'
>;

const totals = 'count() as scans, groupBitmap(visitor_number) as visitors';

/** Figures, each by one query, from the roll-up that can answer it. */
export const createFigures = (clickhouse: Pick<ClickHouse, 'query'>): Figures => ({
  async totals(scope, range, limits) {
    const { grain, preference } = visitorSource(scope, [range.fromMs, range.toMs]);
    const [row] = await clickhouse.query<Totals>(
      `select ${totals} from scans where ${whereScope(scope)} and ${inRange(range, grain)}`,
      scopeParams(scope),
      { ...limits, ...preference },
    );
    return row ?? { scans: 0, visitors: 0 };
  },

  totalsBy(scope, range, column, limits) {
    const { grain, preference } = visitorSource(scope, [range.fromMs, range.toMs], [column]);
    return clickhouse.query(
      `select ${column}, ${totals}
         from scans
        where ${whereScope(scope)} and ${inRange(range, grain)}
        group by ${column} order by scans desc, ${column}`,
      scopeParams(scope),
      { ...limits, ...preference },
    );
  },

  async series(scope, range, starts, limits) {
    const { grain, preference } = visitorSource(scope, [...starts, range.fromMs, range.toMs]);
    const start = lastBefore(starts, grain);
    const rows = await clickhouse.query<Totals & { start: number }>(
      `select ${start.sql} as start, ${totals}
         from scans
        where ${whereScope(scope)} and ${inRange(range, grain)}
        group by start`,
      scopeParams(scope),
      { ...limits, ...preference },
    );
    return new Map(rows.map(row => [start.toMs(row.start), row]));
  },

  weekHours(scope, range, offsets, limits) {
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
  },

  /** Adds up the whole days and the edges. */
  countBy(scope, range, { columns: names, limit }, limits) {
    const columns = names.join(', ');
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
    return clickhouse.query(`${counted} order by scans desc, ${columns} limit ${limit}`, scopeParams(scope), {
      ...limits,
      ...preference,
    });
  },

  async visitorsIn(scope, range, places, maxScans, limits) {
    const rows = await clickhouse.query<Place & { visitors: number }>(
      `select city, country, uniqExact(visitor_number) as visitors
         from (select city, country, visitor_number from scans
                where ${whereScope(scope)} and ${inRange(range, 'moment')} and ${atPlaces}
                limit ${maxScans} by city, country)
        group by city, country`,
      { ...scopeParams(scope), ...placeParams(places) },
      limits,
    );
    const found = new Map(rows.map(({ city, country, visitors }) => [`${country} ${city}`, visitors]));
    return places.map(({ city, country }) => found.get(`${country} ${city}`) ?? 0);
  },

  async visitorsOutside(scope, range, places, maxScans, limits) {
    const [row] = await clickhouse.query<{ visitors: number }>(
      `select uniqExact(visitor_number) as visitors
         from (select visitor_number from scans
                where ${whereScope(scope)} and ${inRange(range, 'moment')} and not ${atPlaces}
                limit ${maxScans})`,
      { ...scopeParams(scope), ...placeParams(places) },
      limits,
    );
    return row?.visitors ?? 0;
  },

  countByDay: (accountId, codes, fromMs, limits) =>
    clickhouse.query<{ qrCodeId: Uuid; day: number; scans: number }>(
      `select qr_code_id as qrCodeId, intDiv(toUnixTimestamp(at), 86400) as day, count() as scans
         from scans
        where account_id = {account: UUID} and qr_code_id in {codes: Array(UUID)} and at >= toDateTime({from: UInt32}, 'UTC')
        group by qrCodeId, day`,
      { account: accountId, codes, from: fromMs / 1000 },
      limits,
    ),

  countByAccount: (accounts, fromMs, limits) =>
    clickhouse.query<{ accountId: Uuid; scans: number }>(
      `select account_id as accountId, count() as scans
         from scans
        where account_id in {accounts: Array(UUID)} and mode = 'live' and toDate(at) >= toDate(toDateTime({from: UInt32}, 'UTC'))
        group by accountId`,
      { accounts, from: fromMs / 1000 },
      { ...limits, projection: 'account_days' },
    ),
});

const atPlaces =
  'has(arrayZip({placeCities: Array(String)}, {placeCountries: Array(String)}), (city, country))';

const placeParams = (places: readonly Place[]) => ({
  placeCities: places.map(({ city }) => city),
  placeCountries: places.map(({ country }) => country),
});
