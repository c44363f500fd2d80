import type { Interval } from '@signpost/contract';
import { AppError } from '../kernel/errors.ts';
import { dayMs } from '../scans/stores/time-range.ts';
import { type Day, type TimeZone, timeZoneNamed, utc } from './time-zone.ts';

/** The period of a query: from `startMs` up to, not including, `endMs`; whole seconds. */
export type Period = {
  readonly startMs: number;
  readonly endMs: number;
  /** Where its days begin and end. */
  readonly zone: TimeZone;
  /** Calendar days that it overlaps. */
  readonly days: number;
};

export type PeriodParams = {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly timezone?: string | undefined;
};

const defaultDays = 30;

/** The period that a caller requests; by default the last 30 days including today. */
export function parsePeriod(params: PeriodParams, now: Date): Period {
  const zone = params.timezone === undefined ? utc : timeZoneNamed(params.timezone);
  if (!zone) {
    throw refuse('timezone', 'timezone must be an IANA time zone like Europe/Berlin. Check its spelling.');
  }
  const end = readBound('end_date', params.end_date, zone);
  const lastDay = end?.day ?? zone.toDay(now.getTime());
  const start = readBound('start_date', params.start_date, zone);
  const firstDay = start?.day ?? lastDay - (defaultDays - 1);
  const startMs = start?.atMs ?? zone.toStartMs(firstDay);
  // A timestamp covers its whole second, so that the period in a response requests the same period again.
  const endMs = end?.atMs === undefined ? zone.toStartMs(lastDay + 1) : end.atMs + 1000;
  if (endMs <= startMs) {
    throw refuse(
      params.end_date === undefined ? 'start_date' : 'end_date',
      'The period ends before it begins. Give an end_date that is not before start_date.',
    );
  }
  return { startMs, endMs, zone, days: zone.toDay(endMs - 1) - zone.toDay(startMs) + 1 };
}

/** The bounds as the API shows them: the first and the last second. */
export const presentPeriod = ({ startMs, endMs }: Period) => ({
  start: presentSecond(startMs),
  end: presentSecond(endMs - 1000),
});

/** Its first and last day in its time zone. */
export const presentDays = ({ startMs, endMs, zone }: Period) => ({
  first: presentDay(zone.toDay(startMs)),
  last: presentDay(zone.toDay(endMs - 1)),
});

export const presentSecond = (atMs: number) => new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z');

/** An interval of a time series: when it begins, and the date that the API shows for it. */
export type Bucket = { readonly startMs: number; readonly date: string };

const maxBuckets = 2_000;

/** From the bucket that holds the start of the period to the one that holds its end. */
export function listBuckets({ startMs, endMs, zone, days }: Period, interval: Interval): Bucket[] {
  if (interval === 'hour') {
    const first = Math.floor(startMs / hourMs);
    const count = Math.ceil(endMs / hourMs) - first;
    refuseTooMany(count);
    return Array.from({ length: count }, (_, n) => {
      const atMs = (first + n) * hourMs;
      return { startMs: atMs, date: presentSecond(atMs) };
    });
  }
  refuseTooMany(days / maxDaysIn[interval]);
  const last = zone.toDay(endMs - 1);
  const buckets: Bucket[] = [];
  for (let day = startOfInterval[interval](zone.toDay(startMs)); day <= last; day = next[interval](day))
    buckets.push({ startMs: zone.toStartMs(day), date: presentDay(day) });
  refuseTooMany(buckets.length);
  return buckets;
}

const hourMs = 60 * 60 * 1000;

type CalendarInterval = Exclude<Interval, 'hour'>;

/** The maximum number of days in a bucket. */
const maxDaysIn: Readonly<Record<CalendarInterval, number>> = { day: 1, week: 7, month: 31 };

const monday = (day: Day) => day - ((((day + 3) % 7) + 7) % 7);
const firstOfMonth = (day: Day, monthsAhead = 0) => {
  const date = new Date(day * dayMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsAhead) / dayMs;
};

const startOfInterval: Readonly<Record<CalendarInterval, (day: Day) => Day>> = {
  day: day => day,
  week: monday,
  month: day => firstOfMonth(day),
};

const next: Readonly<Record<CalendarInterval, (day: Day) => Day>> = {
  day: day => day + 1,
  week: day => day + 7,
  month: day => firstOfMonth(day, 1),
};

const presentDay = (day: Day) => new Date(day * dayMs).toISOString().slice(0, 10);

function refuseTooMany(count: number): void {
  if (count <= maxBuckets) return;
  throw refuse(
    'interval',
    `The period has more than ${maxBuckets} entries of this interval. Ask for a longer interval or a shorter period.`,
  );
}

/** A day, or a timestamp to the second and its day; null if none is given. */
function readBound(param: string, text: string | undefined, zone: TimeZone): Bound | null {
  if (text === undefined) return null;
  const day = Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / dayMs;
  if (Number.isNaN(day) || presentDay(day) !== text.slice(0, 10))
    throw refuse(param, `${param} is a day that the calendar does not have.`);
  if (text.length === 10) return { day };
  const atMs = Math.floor(Date.parse(text.replace(' ', '+')) / 1000) * 1000;
  return { day: zone.toDay(atMs), atMs };
}

type Bound = { readonly day: Day; readonly atMs?: number };

const refuse = (param: string, message: string) => new AppError('invalid_request', message, { param });
