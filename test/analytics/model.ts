import type { Scan } from '../../apps/server/src/scans/scan.ts';
import { browsers, devices } from '../../apps/server/src/scans/scan.ts';

/** A question as a caller puts it. */
export type Question = {
  readonly start_date: string;
  readonly end_date: string;
  readonly timezone: string;
  readonly interval: 'hour' | 'day' | 'week' | 'month';
};

const dayMs = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();
const dates = new Map<string, string>();

/** The date on the calendars of a place, as YYYY-MM-DD. The same few hundred are asked for again and again. */
export function localDate(atMs: number, timeZone: string): string {
  const key = `${atMs} ${timeZone}`;
  const date = dates.get(key) ?? workOutDate(atMs, timeZone);
  dates.set(key, date);
  return date;
}

function workOutDate(atMs: number, timeZone: string): string {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(timeZone, format);
  return format.format(atMs);
}

/** Whether a scan lies in the period: by the date on the calendar there, or by the second. */
export function isIn({ start_date, end_date, timezone }: Question, atMs: number): boolean {
  const second = Math.floor(atMs / 1000);
  const date = localDate(atMs, timezone);
  const isAfter = start_date.length === 10 ? date >= start_date : second >= secondOf(start_date);
  const isBefore = end_date.length === 10 ? date <= end_date : second <= secondOf(end_date);
  return isAfter && isBefore;
}

const secondOf = (timestamp: string) => Math.floor(Date.parse(timestamp) / 1000);

const firstDateOf = ({ start_date, timezone }: Question) =>
  start_date.length === 10 ? start_date : localDate(Date.parse(start_date), timezone);
const lastDateOf = ({ end_date, timezone }: Question) =>
  end_date.length === 10 ? end_date : localDate(Date.parse(end_date), timezone);

const plusDays = (date: string, days: number) =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);

/** Every date from the first to the last. */
function datesOf(question: Question): string[] {
  const dates: string[] = [];
  for (let date = firstDateOf(question); date <= lastDateOf(question); date = plusDays(date, 1))
    dates.push(date);
  return dates;
}

/** The name of the entry that a date belongs to. */
const entryOf: Readonly<Record<'day' | 'week' | 'month', (date: string) => string>> = {
  day: date => date,
  week: date => plusDays(date, -((new Date(date).getUTCDay() + 6) % 7)),
  month: date => `${date.slice(0, 7)}-01`,
};

const hourOf = (atMs: number) => `${new Date(atMs).toISOString().slice(0, 13)}:00:00Z`;

/** The names of all entries; `bounds` are those that the service says it used, which are checked by themselves. */
function entriesOf(question: Question, bounds: { start: string; end: string }): string[] {
  if (question.interval !== 'hour') return [...new Set(datesOf(question).map(entryOf[question.interval]))];
  const hours: string[] = [];
  for (let at = Date.parse(hourOf(Date.parse(bounds.start))); at <= Date.parse(bounds.end); at += 3_600_000)
    hours.push(hourOf(at));
  return hours;
}

const visitorsOf = (scans: readonly Scan[]) => new Set(scans.map(scan => scan.window + scan.visitor)).size;

export function seriesOf(scans: readonly Scan[], question: Question, bounds: { start: string; end: string }) {
  const { interval, timezone } = question;
  const nameOf = (scan: Scan) =>
    interval === 'hour' ? hourOf(scan.atMs) : entryOf[interval](localDate(scan.atMs, timezone));
  const groups = Map.groupBy(
    scans.filter(scan => isIn(question, scan.atMs)),
    nameOf,
  );
  return entriesOf(question, bounds).map(date => {
    const held = groups.get(date) ?? [];
    return { date, total_scans: held.length, unique_visitors: visitorsOf(held) };
  });
}

/** Text by its bytes, as ClickHouse has it. */
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

function top<Key extends string>(scans: readonly Scan[], keyOf: (scan: Scan) => readonly string[]) {
  const groups = Map.groupBy(scans, scan => JSON.stringify(keyOf(scan)) as Key);
  return [...groups]
    .map(([key, held]) => ({ key: JSON.parse(key) as string[], scans: held.length }))
    .sort(
      (a, b) => b.scans - a.scans || byBytes(a.key[0]!, b.key[0]!) || byBytes(a.key[1] ?? '', b.key[1] ?? ''),
    )
    .slice(0, 10);
}

const mapOf = (words: readonly string[], scans: readonly Scan[], of: (scan: Scan) => string) =>
  Object.fromEntries(words.map(word => [word, scans.filter(scan => of(scan) === word).length]));

/** Everything that the summary of a code and the aggregate of an account have in common. */
export function figuresOf(all: readonly Scan[], question: Question) {
  const scans = all.filter(scan => isIn(question, scan.atMs));
  const days = datesOf(question).length;
  return {
    summary: {
      total_scans: scans.length,
      unique_visitors: visitorsOf(scans),
      avg_daily_scans: Number((Math.round((scans.length * 10) / days) / 10).toFixed(1)),
    },
    top_countries: top(scans, scan => [scan.country]).map(({ key, scans: n }) => ({
      country: key[0],
      scans: n,
    })),
    top_cities: top(scans, scan => [scan.city, scan.country]).map(({ key, scans: n }) => ({
      city: key[0],
      country: key[1],
      scans: n,
    })),
    devices: mapOf(devices, scans, scan => scan.device),
    browsers: mapOf(browsers, scans, scan => scan.browser),
  };
}

export const topCodesOf = (all: readonly Scan[], question: Question) =>
  top(
    all.filter(scan => isIn(question, scan.atMs)),
    scan => [orderOf(scan.qrCodeId), scan.qrCodeId],
  ).map(({ key, scans }) => ({ id: key[1]!, scans }));

/** ClickHouse puts UUIDs in order by their second half first. */
const orderOf = (uuid: string) => {
  const hex = uuid.replaceAll('-', '');
  return hex.slice(16) + hex.slice(0, 16);
};

/** Scans of the period, newest first. */
export const listOf = (all: readonly Scan[], question: Question) =>
  all
    .filter(scan => isIn(question, scan.atMs))
    .sort((a, b) => b.atMs - a.atMs || byBytes(orderOf(b.id), orderOf(a.id)));

/** Scans that are the first of their visitor, code and window in the order in which they arrived. */
export function firstsOf(arrived: readonly Scan[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(
    arrived
      .filter(({ qrCodeId, window, visitor }) => {
        const key = qrCodeId + window + visitor;
        return !seen.has(key) && seen.add(key);
      })
      .map(scan => scan.id),
  );
}

/** Whether the bounds that the service says it used are the first and the last second of what was asked for. */
export function boundsFit(question: Question, { start, end }: { start: string; end: string }): boolean {
  const [from, to] = [Date.parse(start), Date.parse(end)];
  const isSecond = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
  return (
    isSecond.test(start) &&
    isSecond.test(end) &&
    isIn({ ...question, end_date: '2099-12-31' }, from) &&
    !isIn({ ...question, end_date: '2099-12-31' }, from - 1) &&
    isIn({ ...question, start_date: '1970-01-02' }, to + 999) &&
    !isIn({ ...question, start_date: '1970-01-02' }, to + 1000)
  );
}
