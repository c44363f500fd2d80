import type { ReadPool } from '../../../platform/postgres/reading/read-pool.ts';
import type { Place, ScanQueries, Totals } from '../scan-queries.ts';
import { addMoment, addMoments, whereInRange, whereScope } from './conditions.ts';
import { createRunner, type Parameters } from './parameters.ts';

type Figures = Pick<
  ScanQueries,
  'totals' | 'totalsBy' | 'series' | 'weekHours' | 'countBy' | 'countByDay' | 'visitorsIn' | 'visitorsOutside'
>;

const totals = 'count(*) as scans, count(distinct visitor_number) as visitors';
const epoch = 'floor(extract(epoch from at))::bigint';

/** Figures, each by one query on the rows. */
export function createFigures(pool: ReadPool): Figures {
  const query = createRunner(pool);
  return {
    async totals(scope, range, limits) {
      const [row] = await query<Totals>(
        p => `select ${totals} from scans where ${whereScope(scope, p)} and ${whereInRange(range, p)}`,
        limits,
      );
      return row ?? { scans: 0, visitors: 0 };
    },

    totalsBy: (scope, range, column, limits) =>
      query(
        p => `select ${column}, ${totals} from scans
               where ${whereScope(scope, p)} and ${whereInRange(range, p)}
               group by ${column} order by scans desc, ${column}`,
        limits,
      ),

    async series(scope, range, starts, limits) {
      const rows = await query<Totals & { n: number }>(
        p => `select width_bucket(at, ${addMoments(starts, p)}) as n, ${totals} from scans
               where ${whereScope(scope, p)} and ${whereInRange(range, p)}
               group by n`,
        limits,
      );
      return new Map(rows.map(({ n, ...counted }) => [starts[n - 1]!, counted]));
    },

    weekHours: (scope, range, offsets, limits) =>
      query(p => {
        const starts = addMoments(
          offsets.map(({ startMs }) => startMs),
          p,
        );
        const seconds = p.add(
          offsets.map(({ offsetMs }) => offsetMs / 1000),
          'bigint[]',
        );
        // The first of January 1970 was a Thursday: 72 hours into its week.
        return `select ((${epoch} + (${seconds})[width_bucket(at, ${starts})]) / 3600 + 72) % 168 as "hourOfWeek",
                       count(*) as scans
                  from scans
                 where ${whereScope(scope, p)} and ${whereInRange(range, p)}
                 group by "hourOfWeek"`;
      }, limits),

    countBy: (scope, range, { columns, limit }, limits) =>
      query(
        p => `select ${columns.join(', ')}, count(*) as scans from scans
               where ${whereScope(scope, p)} and ${whereInRange(range, p)}
               group by ${columns.join(', ')} order by scans desc, ${columns.join(', ')} limit ${limit}`,
        limits,
      ),

    async visitorsIn(scope, range, places, maxScans, limits) {
      const rows = await query<{ visitors: number }>(
        p => `select (select count(distinct visitor_number)
                        from (select visitor_number from scans
                               where ${whereScope(scope, p)} and ${whereInRange(range, p)}
                                 and city = place.city and country = place.country
                               limit ${maxScans}) sampled) as visitors
                from ${unnestPlaces(places, p)} with ordinality as place (city, country, n) order by n`,
        limits,
      );
      return rows.map(({ visitors }) => visitors);
    },

    async visitorsOutside(scope, range, places, maxScans, limits) {
      const [row] = await query<{ visitors: number }>(
        p => `select count(distinct visitor_number) as visitors
                from (select visitor_number from scans
                       where ${whereScope(scope, p)} and ${whereInRange(range, p)}
                         and (city, country) not in (select * from ${unnestPlaces(places, p)})
                       limit ${maxScans}) sampled`,
        limits,
      );
      return row?.visitors ?? 0;
    },

    countByDay: (accountId, codes, fromMs, limits) =>
      query(
        p => `select qr_code_id as "qrCodeId", ${epoch} / 86400 as day, count(*) as scans from scans
               where account_id = ${p.add(accountId, 'uuid')} and mode in ('live', 'test')
                 and qr_code_id = any(${p.add(codes, 'uuid[]')}) and at >= ${addMoment(fromMs, p)}
               group by qr_code_id, day`,
        limits,
      ),
  };
}

const unnestPlaces = (places: readonly Place[], p: Parameters) =>
  `unnest(${p.add(
    places.map(({ city }) => city),
    'text[]',
  )}, ${p.add(
    places.map(({ country }) => country),
    'text[]',
  )})`;
