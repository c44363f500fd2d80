import type { SeriesEntry } from '@signpost/contract';
import { addDays, type Interval, type Period, startOfDay } from './periods.ts';

/** One bar of the chart. */
export type Bucket = {
  readonly date: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly scans: number;
  readonly visitors: number;
  /** Scans in the same place of the period before. */
  readonly before: number | null;
  /** `running`: now lies in it. `cut`: the period begins or ends within it. */
  readonly state: 'whole' | 'running' | 'cut';
};

type Parts = {
  readonly series: readonly SeriesEntry[];
  readonly before: readonly SeriesEntry[] | null;
  readonly interval: Interval;
  readonly period: Period;
  readonly nowMs: number;
  /** When the code was created, or the first code of the account; null where that is not known. */
  readonly bornMs: number | null;
};

/** What the chart draws: from the birth of the code to now. Nothing before it can have scans, and nothing of the future. */
export function bucketsOf(parts: Parts): readonly Bucket[] {
  const { series, before, interval, period, nowMs, bornMs } = parts;
  const startMs = startOfDay(period.start).getTime();
  const endMs = startOfDay(addDays(period.end, 1)).getTime();
  const all = series.map((entry, at): Bucket => {
    const [from, to] = boundsOf(entry.date, interval);
    const isRunning = from <= nowMs && nowMs < to;
    return {
      date: entry.date,
      startMs: from,
      endMs: to,
      scans: entry.total_scans,
      visitors: entry.unique_visitors,
      before: before?.[at]?.total_scans ?? null,
      state: isRunning ? 'running' : from < startMs || to > endMs ? 'cut' : 'whole',
    };
  });
  const past = all.filter(bucket => bucket.startMs <= nowMs);
  const first = past.findIndex(bucket => bucket.scans > 0 || bornMs === null || bucket.endMs > bornMs);
  return first < 0 ? [] : past.slice(first);
}

/** Hours are those of UTC; days, weeks and months begin where the viewer is. */
function boundsOf(date: string, interval: Interval): readonly [startMs: number, endMs: number] {
  if (interval === 'hour') return [Date.parse(date), Date.parse(date) + 3_600_000];
  const start = startOfDay(date);
  const [year, month] = [start.getFullYear(), start.getMonth()];
  const end =
    interval === 'month'
      ? new Date(year, month + 1, 1)
      : startOfDay(addDays(date, interval === 'week' ? 7 : 1));
  return [start.getTime(), end.getTime()];
}

/** Scans a day, over the days of the period on which the code existed, today included. */
export function dailyAverage(scans: number, period: Period, today: string, birth: string | null): number {
  const start = birth !== null && birth > period.start ? birth : period.start;
  const end = period.end < today ? period.end : today;
  const days = Math.round((startOfDay(end).getTime() - startOfDay(start).getTime()) / 86_400_000) + 1;
  return Math.round((scans / Math.max(1, days)) * 10) / 10;
}
