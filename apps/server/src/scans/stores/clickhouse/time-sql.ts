import { dayMs, isEmpty, type Offset, type TimeRange } from '../time-range.ts';

/** What a range can be queried from: roll-ups by day, roll-ups by quarter hour, or the rows themselves. */
export type Grain = 'day' | 'quarter' | 'moment';

const quarterMs = 15 * 60 * 1000;

/** The coarsest grain with a boundary at each of these moments. */
export function chooseGrain(moments: readonly number[]): Grain {
  const areMultiplesOf = (ms: number) => moments.every(moment => moment % ms === 0);
  return areMultiplesOf(dayMs) ? 'day' : areMultiplesOf(quarterMs) ? 'quarter' : 'moment';
}

/** The time of a scan as a number, by the same expression as the key of the roll-up; and its unit. */
const timeKeys: Readonly<Record<Grain, { readonly number: string; readonly unitMs: number }>> = {
  day: { number: 'toUInt32(toDate(at))', unitMs: dayMs },
  quarter: { number: 'toUInt32(toStartOfFifteenMinutes(at))', unitMs: 1000 },
  moment: { number: 'toUInt32(toUnixTimestamp(at))', unitMs: 1000 },
};

/** The condition that a scan is in a range. Only numbers are interpolated. */
export function inRange({ fromMs, toMs }: TimeRange, grain: Grain): string {
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

/** The last of these moments that is not after the scan, as a number; and how to convert that number. */
export function lastBefore(moments: readonly number[], grain: Grain) {
  const { number, unitMs } = timeKeys[grain];
  const boundaries = moments.map(moment => moment / unitMs);
  return { sql: `roundDown(${number}, [${boundaries.join(', ')}])`, toMs: (value: number) => value * unitMs };
}

/** The time of a scan on local clocks, in seconds, by the offsets of its time zone. Only numbers are interpolated. */
export function localSeconds(offsets: readonly Offset[], grain: Exclude<Grain, 'day'>): string {
  const { number } = timeKeys[grain];
  const seconds = offsets.map(({ offsetMs }) => offsetMs / 1000);
  if (seconds.length === 1) return `${number} + ${seconds[0]}`;
  const starts = `[${offsets.map(({ startMs }) => startMs / 1000).join(', ')}]`;
  return `${number} + transform(roundDown(${number}, ${starts}), ${starts}, [${seconds.join(', ')}], 0)`;
}

/** Conditions that together cover the range: its whole days, which have roll-ups, and the rest at its edges. */
export function daysAndEdges(range: TimeRange): string[] {
  const firstMs = Math.ceil(range.fromMs / dayMs) * dayMs;
  const lastMs = Math.floor(range.toMs / dayMs) * dayMs;
  if (firstMs >= lastMs) return [inRange(range, 'moment')];
  const edges = [
    { fromMs: range.fromMs, toMs: firstMs },
    { fromMs: lastMs, toMs: range.toMs },
  ].filter(edge => !isEmpty(edge));
  return [inRange({ fromMs: firstMs, toMs: lastMs }, 'day'), ...edges.map(edge => inRange(edge, 'moment'))];
}
