import { dayMs } from '../kernel/time-zone.ts';

/** A stretch of time as ClickHouse is asked about it: from `fromMs` up to, not including, `toMs`. */
export type Span = { readonly fromMs: number; readonly toMs: number };

/** No scan is older or younger than what ingest takes, and ClickHouse's short dates reach no further. */
const [earliestMs, latestMs] = [Date.UTC(2020), Date.UTC(2100)];

export const spanOf = ({ startMs, endMs }: { readonly startMs: number; readonly endMs: number }): Span => ({
  fromMs: Math.min(Math.max(startMs, earliestMs), latestMs),
  toMs: Math.max(Math.min(endMs, latestMs), earliestMs),
});

export const isEmpty = ({ fromMs, toMs }: Span) => fromMs >= toMs;

/** What a span can be asked by: roll-ups of days, those of quarters of an hour, or the rows themselves. */
export type Grain = 'day' | 'quarter' | 'moment';

const quarterMs = 15 * 60 * 1000;

/** The coarsest grain that has a border at each of these moments. */
export function grainOf(moments: readonly number[]): Grain {
  const falls = (ms: number) => moments.every(moment => moment % ms === 0);
  return falls(dayMs) ? 'day' : falls(quarterMs) ? 'quarter' : 'moment';
}

/** The time of a scan, written as the keys of the roll-ups are; a number that rises with it; and its unit. */
const clocks: Readonly<Record<Grain, { readonly number: string; readonly unitMs: number }>> = {
  day: { number: 'toUInt32(toDate(at))', unitMs: dayMs },
  quarter: { number: 'toUInt32(toStartOfFifteenMinutes(at))', unitMs: 1000 },
  moment: { number: 'toUInt32(toUnixTimestamp(at))', unitMs: 1000 },
};

/** The condition that a scan lies in a span. All that is written into it are numbers. */
export function within({ fromMs, toMs }: Span, grain: Grain): string {
  switch (grain) {
    case 'day':
      return `toDate(at) >= toDate(${fromMs / dayMs}) and toDate(at) < toDate(${toMs / dayMs})`;
    case 'quarter':
      return `toStartOfFifteenMinutes(at) >= toDateTime(${fromMs / 1000}, 'UTC')
          and toStartOfFifteenMinutes(at) < toDateTime(${toMs / 1000}, 'UTC')`;
    case 'moment':
      return `at >= fromUnixTimestamp64Milli(${fromMs}, 'UTC') and at < fromUnixTimestamp64Milli(${toMs}, 'UTC')`;
  }
}

/** The last of these moments that is not after the scan, as a number; and how to read that number. */
export function lastBefore(moments: readonly number[], grain: Grain) {
  const { number, unitMs } = clocks[grain];
  const borders = moments.map(moment => moment / unitMs);
  return { sql: `roundDown(${number}, [${borders.join(', ')}])`, toMs: (found: number) => found * unitMs };
}

/** Conditions that together hold the span: its whole days, of which there are roll-ups, and what is left at its edges. */
export function daysAndEdges(span: Span): string[] {
  const firstMs = Math.ceil(span.fromMs / dayMs) * dayMs;
  const lastMs = Math.floor(span.toMs / dayMs) * dayMs;
  if (firstMs >= lastMs) return [within(span, 'moment')];
  const edges = [
    { fromMs: span.fromMs, toMs: firstMs },
    { fromMs: lastMs, toMs: span.toMs },
  ].filter(edge => !isEmpty(edge));
  return [within({ fromMs: firstMs, toMs: lastMs }, 'day'), ...edges.map(edge => within(edge, 'moment'))];
}
