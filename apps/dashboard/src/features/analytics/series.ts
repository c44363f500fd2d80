import { analyticsText } from '../../strings/analytics.ts';
import { language } from '../../strings/language.ts';
import type { Bucket } from './buckets.ts';
import { csvOf } from './csv.ts';
import type { Interval } from './periods.ts';

const format = (date: Date, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(language, options).format(date);

const dayAndMonth = { day: 'numeric', month: 'short' } as const;
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** A bar on the axis: as short as it can be. An hour is named by its day at midnight. */
export function axisLabel({ startMs }: Pick<Bucket, 'startMs'>, interval: Interval): string {
  const date = new Date(startMs);
  if (interval === 'hour') return date.getHours() === 0 ? format(date, dayAndMonth) : format(date, clock);
  return format(date, interval === 'month' ? { month: 'short', year: 'numeric' } : dayAndMonth);
}

/** A bar in full. */
export function bucketName(
  { startMs, endMs }: Pick<Bucket, 'startMs' | 'endMs'>,
  interval: Interval,
): string {
  const date = new Date(startMs);
  const whole = { ...dayAndMonth, year: 'numeric' } as const;
  switch (interval) {
    case 'hour':
      return `${format(date, { ...whole, weekday: 'short' })}, ${format(date, clock)}–${format(new Date(endMs), clock)}`;
    case 'day':
      return format(date, { ...whole, weekday: 'long' });
    case 'week':
      return `${format(date, dayAndMonth)} – ${format(new Date(endMs - 1), whole)}`;
    case 'month':
      return format(date, { month: 'long', year: 'numeric' });
  }
}

/** A bar in full, and whether the period holds all of it. */
export function bucketWords(bucket: Bucket, interval: Interval): string {
  const name = bucketName(bucket, interval);
  if (bucket.state === 'running') return analyticsText.soFar(name);
  return bucket.state === 'cut' ? analyticsText.partly(name) : name;
}

/** The series as a file for a spreadsheet, with what the chart draws. */
export const seriesCsv = (buckets: readonly Bucket[]): string =>
  csvOf([
    ['date', 'total_scans', 'unique_visitors', 'total_scans_before'],
    ...buckets.map(({ date, scans, visitors, before }) => [date, scans, visitors, before]),
  ]);
