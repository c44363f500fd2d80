import type { SeriesEntry } from '@signpost/contract';
import type { Interval } from './periods.ts';

/** The name of an entry of a series on the axis. Days are days as they are; hours are told in the viewer's zone. */
export function entryLabel(date: string, interval: Interval, locale?: string): string {
  if (interval === 'hour')
    return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', hour: 'numeric' }).format(
      new Date(date),
    );
  const format: Intl.DateTimeFormatOptions =
    interval === 'month' ? { month: 'short', year: 'numeric' } : { day: 'numeric', month: 'short' };
  return new Intl.DateTimeFormat(locale, { ...format, timeZone: 'UTC' }).format(
    new Date(`${date}T00:00:00Z`),
  );
}

/** The series as a file for a spreadsheet. It holds only dates and numbers, so that nothing needs quoting. */
export const seriesCsv = (series: readonly SeriesEntry[]): string =>
  [
    'date,total_scans,unique_visitors',
    ...series.map(({ date, total_scans, unique_visitors }) => `${date},${total_scans},${unique_visitors}`),
    '',
  ].join('\r\n');
