import type { Interval } from '@signpost/contract';
import { AppError } from './errors.ts';
import { type Day, dayMs, type TimeZone, timeZoneNamed, utc } from './time-zone.ts';

/** What a question of analytics is about: from `startMs` up to, not including, `endMs`; whole seconds. */
export type Period = {
  readonly startMs: number;
  readonly endMs: number;
  /** Where its days begin and end. */
  readonly zone: TimeZone;
  /** Calendar days that it touches. */
  readonly days: number;
};

export type Asked = {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly timezone?: string | undefined;
};

const defaultDays = 30;

/** The period that a caller asks for; by default the last 30 days with today. */
export function periodOf(asked: Asked, now: Date): Period {
  const zone = asked.timezone === undefined ? utc : timeZoneNamed(asked.timezone);
  if (!zone) {
    throw refuse('timezone', 'timezone must be an IANA time zone like Europe/Berlin. Check its spelling.');
  }
  const end = readBound('end_date', asked.end_date, zone);
  const lastDay = end?.day ?? zone.dayOf(now.getTime());
  const start = readBound('start_date', asked.start_date, zone);
  const firstDay = start?.day ?? lastDay - (defaultDays - 1);
  const startMs = start?.atMs ?? zone.startOf(firstDay);
  // A moment stands for its whole second, so that the period of an answer asks for the same again.
  const endMs = end?.atMs === undefined ? zone.startOf(lastDay + 1) : end.atMs + 1000;
  if (endMs <= startMs) {
    throw refuse(
      asked.end_date === undefined ? 'start_date' : 'end_date',
      'The period ends before it begins. Give an end_date that is not before start_date.',
    );
  }
  return { startMs, endMs, zone, days: zone.dayOf(endMs - 1) - zone.dayOf(startMs) + 1 };
}

/** The bounds as the wire shows them: the first and the last second. */
export const presentPeriod = ({ startMs, endMs }: Period) => ({
  start: presentSecond(startMs),
  end: presentSecond(endMs - 1000),
});

/** Its first and last day, as the calendar of its time zone has them. */
export const presentDays = ({ startMs, endMs, zone }: Period) => ({
  first: presentDay(zone.dayOf(startMs)),
  last: presentDay(zone.dayOf(endMs - 1)),
});

export const presentSecond = (atMs: number) => new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z');

/** Where a period is cut: when each entry of a series begins, and the name of that beginning. */
export type Cut = { readonly startMs: number; readonly date: string };

const mostCuts = 2_000;

/** From the entry that holds the start of the period to the one that holds its end. */
export function cutsOf({ startMs, endMs, zone, days }: Period, interval: Interval): Cut[] {
  if (interval === 'hour') {
    const first = Math.floor(startMs / hourMs);
    const count = Math.ceil(endMs / hourMs) - first;
    refuseMany(count);
    return Array.from({ length: count }, (_, n) => {
      const atMs = (first + n) * hourMs;
      return { startMs: atMs, date: presentSecond(atMs) };
    });
  }
  refuseMany(days / daysOf[interval]);
  const last = zone.dayOf(endMs - 1);
  const cuts: Cut[] = [];
  for (let day = beginning[interval](zone.dayOf(startMs)); day <= last; day = following[interval](day))
    cuts.push({ startMs: zone.startOf(day), date: presentDay(day) });
  refuseMany(cuts.length);
  return cuts;
}

const hourMs = 60 * 60 * 1000;

type Long = Exclude<Interval, 'hour'>;

/** At most so many days are in an entry. */
const daysOf: Readonly<Record<Long, number>> = { day: 1, week: 7, month: 31 };

const monday = (day: Day) => day - ((((day + 3) % 7) + 7) % 7);
const firstOfMonth = (day: Day, ahead = 0) => {
  const date = new Date(day * dayMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + ahead) / dayMs;
};

const beginning: Readonly<Record<Long, (day: Day) => Day>> = {
  day: day => day,
  week: monday,
  month: day => firstOfMonth(day),
};

const following: Readonly<Record<Long, (day: Day) => Day>> = {
  day: day => day + 1,
  week: day => day + 7,
  month: day => firstOfMonth(day, 1),
};

const presentDay = (day: Day) => new Date(day * dayMs).toISOString().slice(0, 10);

function refuseMany(count: number): void {
  if (count <= mostCuts) return;
  throw refuse(
    'interval',
    `The period has more than ${mostCuts} entries of this interval. Ask for a longer interval or a shorter period.`,
  );
}

/** A day, or a moment to the second and the day that it is in; null where none is given. */
function readBound(param: string, text: string | undefined, zone: TimeZone): Bound | null {
  if (text === undefined) return null;
  const day = Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / dayMs;
  if (Number.isNaN(day) || presentDay(day) !== text.slice(0, 10))
    throw refuse(param, `${param} is a day that the calendar does not have.`);
  if (text.length === 10) return { day };
  const atMs = Math.floor(Date.parse(text.replace(' ', '+')) / 1000) * 1000;
  return { day: zone.dayOf(atMs), atMs };
}

type Bound = { readonly day: Day; readonly atMs?: number };

const refuse = (param: string, message: string) => new AppError('invalid_request', message, { param });
