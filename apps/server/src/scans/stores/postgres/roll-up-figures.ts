import type { Uuid } from '../../../kernel/ids.ts';
import type { ReadPool } from '../../../platform/postgres/reading/read-pool.ts';
import type { GroupColumn, QueryLimits, ScanQueries, Totals, WeekHourCount } from '../scan-queries.ts';
import { type FilterName, filteredNames, type Scope } from '../scope.ts';
import { dayMs, type Offset, type TimeRange } from '../time-range.ts';
import { addMoment, addMoments, whereInRange, whereScope } from './conditions.ts';
import { createRunner, type Parameters } from './parameters.ts';
import { type NextStep, runSteps } from './steps.ts';

const quarterMs = 15 * 60 * 1000;
/** A day of a zone has at most 25 hours; `scan_repeats` reaches no further back. */
const nearMs = 25 * 60 * 60 * 1000;

type RolledUp = 'totals' | 'totalsBy' | 'series' | 'weekHours' | 'countBy' | 'findQuarter';

/**
 * Figures from the roll-ups, for codes and accounts that have them. What they do not hold (filters by other properties, moments
 * inside a quarter hour, distinct visitors of weeks inside a month) comes from the rows.
 */
export function createRollUpFigures(
  pool: ReadPool,
  rows: Pick<ScanQueries, RolledUp>,
): Pick<ScanQueries, RolledUp | 'countByAccount'> {
  const query = createRunner(pool);

  /** From the roll-ups if the scope has them and they can answer; they resolve to null if they can't. */
  const answer = <Result>(
    limits: QueryLimits,
    scope: Scope,
    canAnswer: boolean,
    fromRollUps: (nextStep: NextStep) => Promise<Result | null>,
    fromRows: (limits: QueryLimits) => Promise<Result>,
  ): Promise<Result> => {
    const isSubset = scope.codes !== undefined || (scope.qrCodeId !== undefined && isExcluding(scope));
    if (!canAnswer || isSubset) return fromRows(limits);
    return runSteps(limits, async nextStep => {
      const found = await query(
        p => `select from scan_roll_ups
               where scope_id = ${p.add(toScopeId(scope), 'uuid')} and account_id = ${p.add(scope.accountId, 'uuid')}`,
        nextStep(),
      );
      const result = found.length > 0 ? await fromRollUps(nextStep) : null;
      return result ?? (await fromRows(nextStep()));
    });
  };

  async function series(
    scope: Scope,
    range: TimeRange,
    starts: readonly number[],
    limits: QueryLimits,
  ): Promise<ReadonlyMap<number, Totals> | null> {
    const ends = [...starts.slice(1), range.toMs];
    const areNear = starts.every((startMs, n) => ends[n]! - startMs <= nearMs);
    const cells = await query<Cell>(p => selectCells(scope, range, starts, areNear, p), limits);
    const found = new Map<number, Totals>();
    for (const [n, windows] of Map.groupBy(cells, cell => cell.n)) {
      const [startMs, endMs] = [starts[n - 1]!, ends[n - 1]!];
      let [scans, visitors] = [-windows[0]!.scansGone, -windows[0]!.visitorsGone];
      if (areNear) visitors -= windows[0]!.repeats;
      for (const window of windows) {
        const seen = areNear ? window.scans : countVisitors(window, startMs, endMs);
        if (seen === null || spansMonths(window)) return null;
        scans += window.scans;
        visitors += seen;
      }
      if (scans > 0) found.set(startMs, { scans, visitors });
    }
    return found;
  }

  const totals: ScanQueries['totals'] = (scope, range, limits) =>
    answer(
      limits,
      scope,
      !isFiltered(scope) && areQuarters(range.fromMs, range.toMs),
      async next => {
        const found = await series(scope, range, [range.fromMs], next());
        return found && (found.get(range.fromMs) ?? { scans: 0, visitors: 0 });
      },
      step => rows.totals(scope, range, step),
    );

  return {
    totals,

    /** The visitors of each value come from the rows, unless all scans have the same. */
    async totalsBy<Column extends 'target_id' | 'placement'>(
      scope: Scope,
      range: TimeRange,
      column: Column,
      limits: QueryLimits,
    ) {
      const days = toWholeDays(range);
      return answer<(Totals & { readonly [Name in Column]: string })[]>(
        limits,
        scope,
        !isFiltered(scope) &&
          scope.qrCodeId !== undefined &&
          days !== null &&
          areQuarters(range.fromMs, range.toMs),
        async next => {
          const columns = [column];
          const values = await query<{ readonly [Name in Column]: string }>(
            p => selectCounts(scope, range, days!, { kind: targetKind, columns, limit: 2 }, p),
            next(),
          );
          if (values.length > 1) return null;
          const found = await series(scope, range, [range.fromMs], next());
          return (
            found && values.flatMap(value => [...found.values()].map(counted => ({ ...value, ...counted })))
          );
        },
        step => rows.totalsBy(scope, range, column, step),
      );
    },

    series: (scope, range, starts, limits) =>
      answer(
        limits,
        scope,
        !isFiltered(scope) && areQuarters(...starts, range.fromMs, range.toMs),
        next => series(scope, range, starts, next()),
        step => rows.series(scope, range, starts, step),
      ),

    weekHours: (scope, range, offsets, limits) =>
      answer<WeekHourCount[]>(
        limits,
        scope,
        !isFiltered(scope) &&
          areQuarters(
            range.fromMs,
            range.toMs,
            ...offsets.flatMap(({ startMs, offsetMs }) => [startMs, offsetMs]),
          ),
        next => query(p => selectWeekHours(scope, range, offsets, p), next()),
        step => rows.weekHours(scope, range, offsets, step),
      ),

    countBy(scope, range, { columns, limit }, limits) {
      const kind = chooseKind(scope, columns);
      const days = toWholeDays(range);
      return answer(
        limits,
        scope,
        kind !== undefined && days !== null,
        next => query(p => selectCounts(scope, range, days!, { kind: kind!, columns, limit }, p), next()),
        step => rows.countBy(scope, range, { columns, limit }, step),
      );
    },

    findQuarter: (scope, range, offset, limits) =>
      answer(
        limits,
        scope,
        !isFiltered(scope) && !isExcluding(scope) && areQuarters(range.fromMs, range.toMs),
        async next => {
          const [row] = await query<{ endMs: number; before: number }>(p => {
            const skipped = p.add(offset, 'bigint');
            return `select extract(epoch from quarter + interval '15 minutes')::float8 * 1000 as "endMs", before::float8
                      from (select quarter, held, sum(held) over (order by quarter desc) - held as before
                              from (select quarter, sum(scans) as held from scan_quarters
                                     where ${whereQuarters(scope, range, p)} group by quarter) quarters) sums
                     where before <= ${skipped} and before + held > ${skipped}`;
          }, next());
          return row ?? null;
        },
        step => rows.findQuarter(scope, range, offset, step),
      ),

    countByAccount: (accounts, fromMs, limits) =>
      query(p => {
        const given = p.add(accounts, 'uuid[]');
        const from = addMoment(fromMs, p);
        return `select account_id as "accountId", sum(scans)::float8 as scans
                  from (select scope_id as account_id, scans from scan_quarters
                         where scope_id = any(${given}) and mode = 'live' and quarter >= ${from}
                         union all
                        select account_id, count(*) from scans
                         where account_id = any(array(select unnest(${given}) except select scope_id from scan_roll_ups))
                           and mode = 'live' and at >= ${from}
                         group by account_id) counted
                 group by account_id having sum(scans) > 0`;
      }, limits),
  };
}

/** What a bucket has of a window: its scans, and the first and the last of all quarter hours with scans of the window. */
type Cell = {
  readonly n: number;
  readonly scans: number;
  readonly firsts: number;
  readonly lasts: number;
  readonly firstMs: number;
  readonly lastMs: number;
  /** Of the bucket: scans of visitors who scanned before in it, and what codes that are being erased have in it. */
  readonly repeats: number;
  readonly scansGone: number;
  readonly visitorsGone: number;
};

/** Null: the range has neither the beginning nor the end of the window. */
function countVisitors(
  { firsts, lasts, firstMs, lastMs }: Cell,
  startMs: number,
  endMs: number,
): number | null {
  if (firstMs >= startMs) return firsts;
  return lastMs < endMs ? lasts : null;
}

/** Only where clocks were wrong: a month of scans knows nothing of the visitors of another. */
const spansMonths = ({ firstMs, lastMs }: Cell) => toMonth(firstMs) !== toMonth(lastMs);
const toMonth = (atMs: number) => new Date(atMs).toISOString().slice(0, 7);

const toScopeId = ({ accountId, qrCodeId }: Scope): Uuid => qrCodeId ?? accountId;
const isFiltered = (scope: Scope) => filteredNames(scope).length > 0;
const isExcluding = ({ excludedCodes = [] }: Scope) => excludedCodes.length > 0;
const areQuarters = (...moments: readonly number[]) => moments.every(moment => moment % quarterMs === 0);

const whereHeld = (scope: Scope, p: Parameters) =>
  `scope_id = ${p.add(toScopeId(scope), 'uuid')} and mode = ${p.add(scope.mode, 'mode')}`;

const whereQuarters = (scope: Scope, { fromMs, toMs }: TimeRange, p: Parameters) =>
  `${whereHeld(scope, p)} and quarter >= ${addMoment(fromMs, p)} and quarter < ${addMoment(toMs, p)}`;

/** The rows of codes that are being erased: the roll-ups of the account have them until they are. */
const whereGone = ({ excludedCodes = [], ...scope }: Scope, p: Parameters) =>
  whereScope({ ...scope, codes: excludedCodes }, p);

/** One statement, so that all of its parts are of one moment. */
function selectCells(
  scope: Scope,
  range: TimeRange,
  starts: readonly number[],
  areNear: boolean,
  p: Parameters,
): string {
  const held = whereHeld(scope, p);
  const [from, to] = [addMoment(range.fromMs, p), addMoment(range.toMs, p)];
  const at = addMoments(starts, p);
  const inRange = `quarter >= ${from} and quarter < ${to}`;
  const repeats = areNear
    ? `select n, sum(repeats)::float8 as repeats
         from (select width_bucket(quarter, ${at}) as n, quarter, gap, repeats from scan_repeats
                where ${held} and ${inRange}) placed
        where quarter - gap * interval '15 minutes' >= (${at})[n] group by n`
    : 'select null::integer as n, 0::float8 as repeats where false';
  const gone = isExcluding(scope)
    ? `select width_bucket(at, ${at}) as n, count(*) filter (where is_gone) as scans,
              count(distinct visitor_number) - count(distinct visitor_number) filter (where not is_gone) as visitors
         from (select at, visitor_number, qr_code_id = any(${p.add(scope.excludedCodes, 'uuid[]')}) as is_gone from scans
                where visitor_number in (select visitor_number from scans where ${whereGone(scope, p)} and at >= ${from} and at < ${to})
                  and account_id = ${p.add(scope.accountId, 'uuid')} and mode = ${p.add(scope.mode, 'mode')}
                  and at >= ${from} and at < ${to}) touched
        group by n`
    : 'select null::integer as n, 0 as scans, 0 as visitors where false';
  return `with held as materialized (
      select time_window, quarter, scans, firsts, lasts from scan_quarters where ${held} and scans > 0
    ), extents as (
      select time_window, min(quarter) as first, max(quarter) as last from held group by time_window
    ), cells as (
      select width_bucket(quarter, ${at}) as n, time_window, sum(scans) as scans, sum(firsts) as firsts, sum(lasts) as lasts
        from held where ${inRange} group by n, time_window
    ), repeats as (${repeats}
    ), gone as (${gone}
    )
    select n, cells.scans, cells.firsts, cells.lasts, coalesce(repeats.repeats, 0) as repeats,
           extract(epoch from extents.first)::float8 * 1000 as "firstMs",
           extract(epoch from extents.last)::float8 * 1000 as "lastMs",
           coalesce(gone.scans, 0) as "scansGone", coalesce(gone.visitors, 0) as "visitorsGone"
      from cells join extents using (time_window) left join repeats using (n) left join gone using (n)`;
}

function selectWeekHours(scope: Scope, range: TimeRange, offsets: readonly Offset[], p: Parameters): string {
  const starts = addMoments(
    offsets.map(({ startMs }) => startMs),
    p,
  );
  const seconds = p.add(
    offsets.map(({ offsetMs }) => offsetMs / 1000),
    'bigint[]',
  );
  const gone = isExcluding(scope)
    ? `union all select at, -1 from scans where ${whereGone(scope, p)} and ${whereInRange(range, p)}`
    : '';
  // The first of January 1970 was a Thursday: 72 hours into its week.
  return `select ((floor(extract(epoch from quarter))::bigint + (${seconds})[width_bucket(quarter, ${starts})]) / 3600 + 72) % 168 as "hourOfWeek",
                 sum(scans)::float8 as scans
            from (select quarter, scans from scan_quarters where ${whereQuarters(scope, range, p)} ${gone}) counted
           group by "hourOfWeek" having sum(scans) > 0`;
}

type Kind = { readonly letter: string; readonly keys: readonly GroupColumn[] };

/** What scan_days counts by. */
const kinds: readonly Kind[] = [
  { letter: 'a', keys: ['device', 'browser'] },
  { letter: 'p', keys: ['country', 'city'] },
];
const codeKind: Kind = { letter: 'c', keys: ['qr_code_id'] };
const targetKind: Kind = { letter: 't', keys: ['target_id', 'placement'] };
const ids: readonly GroupColumn[] = ['qr_code_id', 'target_id'];

function chooseKind(scope: Scope, columns: readonly GroupColumn[]): Kind | undefined {
  const names: GroupColumn[] = [...columns, ...filteredNames(scope)];
  const all = [...kinds, scope.qrCodeId === undefined ? codeKind : targetKind];
  return all.find(({ keys }) => names.every(name => keys.includes(name)));
}

/** The days of UTC that the range has whole; null if it has none. */
function toWholeDays({ fromMs, toMs }: TimeRange): TimeRange | null {
  const days = { fromMs: Math.ceil(fromMs / dayMs) * dayMs, toMs: Math.floor(toMs / dayMs) * dayMs };
  return days.fromMs < days.toMs ? days : null;
}

/** The whole days, without what codes that are being erased have in them, and the rows at the edges. */
function selectCounts(
  scope: Scope,
  range: TimeRange,
  days: TimeRange,
  {
    kind,
    columns,
    limit,
  }: { readonly kind: Kind; readonly columns: readonly GroupColumn[]; readonly limit: number },
  p: Parameters,
): string {
  const names = columns.join(', ');
  const toKey = (name: GroupColumn) =>
    `key_${kind.keys.indexOf(name) + 1}${ids.includes(name) ? '::uuid' : ''}`;
  const shown = columns.map(name => `${toKey(name)} as ${name}`).join(', ');
  const filters = filteredNames(scope).map((name: FilterName) => {
    const value = scope.filters![name]!;
    return value.includes('\0')
      ? ' and false'
      : ` and ${toKey(name)} = ${p.add(value, ids.includes(name) ? 'uuid' : 'text')}`;
  });
  const count = (where: string, sign: 1 | -1) =>
    `select ${names}, ${sign} * count(*) as scans from scans where ${where} group by ${names}`;
  const edges = [
    { fromMs: range.fromMs, toMs: days.fromMs },
    { fromMs: days.toMs, toMs: range.toMs },
  ].filter(({ fromMs, toMs }) => fromMs < toMs);
  const pieces = [
    `select ${shown}, scans from scan_days
      where ${whereHeld(scope, p)} and kind = '${kind.letter}'
        and day >= ${addMoment(days.fromMs, p)} and day < ${addMoment(days.toMs, p)}${filters.join('')}`,
    ...(isExcluding(scope) ? [count(`${whereGone(scope, p)} and ${whereInRange(days, p)}`, -1)] : []),
    ...edges.map(edge => count(`${whereScope(scope, p)} and ${whereInRange(edge, p)}`, 1)),
  ];
  return `select ${names}, sum(scans)::float8 as scans from (${pieces.join('\n union all ')}) pieces
           group by ${names} having sum(scans) > 0 order by sum(scans) desc, ${names} limit ${limit}`;
}
