import { formatId, zeroId } from '../../apps/server/src/kernel/ids.ts';
import type { Scan } from '../../apps/server/src/scans/scan.ts';
import { browsers, devices } from '../../apps/server/src/scans/scan.ts';
import type { StoreName } from '../../apps/server/src/scans/stores/claim.ts';
import { type DatasetTarget, placementKeys } from './dataset.ts';

/** The query parameters of a request. */
export type AnalyticsRequest = {
  readonly start_date: string;
  readonly end_date: string;
  readonly timezone: string;
  readonly interval: 'hour' | 'day' | 'week' | 'month';
} & AnalyticsFilters;

export type AnalyticsFilters = {
  readonly country?: string;
  readonly city?: string;
  readonly device?: string;
  readonly browser?: string;
  readonly placement?: string;
  /** An id as the API writes it, or `default`. */
  readonly target_id?: string;
  readonly rule_id?: string;
};

const dayMs = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();
const dates = new Map<string, string>();

/** The local date in a time zone, as YYYY-MM-DD. Cached, since the same few hundred are needed repeatedly. */
function localDate(atMs: number, timeZone: string): string {
  const key = `${atMs} ${timeZone}`;
  const date = dates.get(key) ?? computeDate(atMs, timeZone);
  dates.set(key, date);
  return date;
}

function computeDate(atMs: number, timeZone: string): string {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(timeZone, format);
  return format.format(atMs);
}

/** Whether a scan is in the period: by its local date, or by the second. */
function isIn({ start_date, end_date, timezone }: AnalyticsRequest, atMs: number): boolean {
  const second = Math.floor(atMs / 1000);
  const date = localDate(atMs, timezone);
  const isAfter = start_date.length === 10 ? date >= start_date : second >= secondOf(start_date);
  const isBefore = end_date.length === 10 ? date <= end_date : second <= secondOf(end_date);
  return isAfter && isBefore;
}

/** Whether a scan is in the period and has every value that is asked for. */
const isAsked = (request: AnalyticsRequest, scan: Scan) =>
  isIn(request, scan.atMs) &&
  (request.country ?? scan.country) === scan.country &&
  (request.city ?? scan.city) === scan.city &&
  (request.device ?? scan.device) === scan.device &&
  (request.browser ?? scan.browser) === scan.browser &&
  (request.placement ?? scan.placement) === scan.placement &&
  (request.target_id ?? wireId('tgt', scan.targetId)) === wireId('tgt', scan.targetId) &&
  (request.rule_id ?? wireId('rul', scan.ruleId)) === wireId('rul', scan.ruleId);

/** The first and the last second of a period. */
function boundsOf(request: AnalyticsRequest): { readonly startMs: number; readonly endMs: number } {
  const first = (isAfter: (second: number) => boolean) => {
    let [before, from] = [Date.UTC(2019) / 1000, Date.UTC(2101) / 1000];
    while (from - before > 1) {
      const middle = Math.floor((before + from) / 2);
      if (isAfter(middle)) from = middle;
      else before = middle;
    }
    return from * 1000;
  };
  const startMs = first(second => isIn({ ...request, end_date: '2105-01-01' }, second * 1000));
  const endMs = first(second => !isIn({ ...request, start_date: '1970-01-02' }, second * 1000)) - 1000;
  return { startMs, endMs };
}

/** Months that were removed: the first that had scans, and the first that still has some. */
export type RemovedMonths = { readonly fromMs: number; readonly retainedMs: number };

export function reachesBack(request: AnalyticsRequest, removed: RemovedMonths | undefined): boolean {
  if (!removed) return false;
  const { startMs, endMs } = boundsOf(request);
  return startMs < removed.retainedMs && endMs >= removed.fromMs;
}

const filterNames = ['country', 'city', 'device', 'browser', 'placement', 'target_id', 'rule_id'] as const;

/** Whether sums of whole months cannot answer a request that reaches back to removed ones. */
export function sumsLack(request: AnalyticsRequest, removed: RemovedMonths | undefined): boolean {
  if (!removed || !reachesBack(request, removed)) return false;
  if (filterNames.some(name => request[name] !== undefined)) return true;
  const { startMs, endMs } = boundsOf(request);
  return [startMs, endMs + 1000].some(
    bound =>
      bound > removed.fromMs &&
      bound < removed.retainedMs &&
      !new Date(bound).toISOString().endsWith('-01T00:00:00.000Z'),
  );
}

export const seriesLacks = (request: AnalyticsRequest, removed: RemovedMonths | undefined): boolean =>
  sumsLack(request, removed) ||
  (reachesBack(request, removed) && !(request.interval === 'month' && request.timezone === 'UTC'));

const wireId = (prefix: 'tgt' | 'rul', id: string) => (id === zeroId ? 'default' : formatId(prefix, id));

const secondOf = (timestamp: string) => Math.floor(Date.parse(timestamp) / 1000);

const firstDateOf = ({ start_date, timezone }: AnalyticsRequest) =>
  start_date.length === 10 ? start_date : localDate(Date.parse(start_date), timezone);
const lastDateOf = ({ end_date, timezone }: AnalyticsRequest) =>
  end_date.length === 10 ? end_date : localDate(Date.parse(end_date), timezone);

const plusDays = (date: string, days: number) =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);

/** Every date from the first to the last. */
function datesOf(request: AnalyticsRequest): string[] {
  const dates: string[] = [];
  for (let date = firstDateOf(request); date <= lastDateOf(request); date = plusDays(date, 1))
    dates.push(date);
  return dates;
}

/** The date of the series entry that a date belongs to. */
const entryOf: Readonly<Record<'day' | 'week' | 'month', (date: string) => string>> = {
  day: date => date,
  week: date => plusDays(date, -((new Date(date).getUTCDay() + 6) % 7)),
  month: date => `${date.slice(0, 7)}-01`,
};

const hourOf = (atMs: number) => `${new Date(atMs).toISOString().slice(0, 13)}:00:00Z`;

/** The dates of all entries; `bounds` are those in the response, which are checked separately. */
function entriesOf(request: AnalyticsRequest, bounds: { start: string; end: string }): string[] {
  if (request.interval !== 'hour') return [...new Set(datesOf(request).map(entryOf[request.interval]))];
  const hours: string[] = [];
  for (let at = Date.parse(hourOf(Date.parse(bounds.start))); at <= Date.parse(bounds.end); at += 3_600_000)
    hours.push(hourOf(at));
  return hours;
}

const visitorsOf = (scans: readonly Scan[]) => new Set(scans.map(scan => scan.window + scan.visitor)).size;

export function seriesOf(
  scans: readonly Scan[],
  request: AnalyticsRequest,
  bounds: { start: string; end: string },
) {
  const { interval, timezone } = request;
  const nameOf = (scan: Scan) =>
    interval === 'hour' ? hourOf(scan.atMs) : entryOf[interval](localDate(scan.atMs, timezone));
  const groups = Map.groupBy(
    scans.filter(scan => isAsked(request, scan)),
    nameOf,
  );
  return entriesOf(request, bounds).map(date => {
    const group = groups.get(date) ?? [];
    return { date, total_scans: group.length, unique_visitors: visitorsOf(group) };
  });
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** What a clock on the wall shows: the day of the week, from 1 for Monday, and the hour. */
function clockAt(atMs: number, timeZone: string): { weekday: number; hour: number } {
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'short', hour: '2-digit', hourCycle: 'h23' });
  clocks.set(timeZone, clock);
  const [day = '', hour] = clock.format(atMs).split(/,? /);
  return { weekday: weekdays.indexOf(day) + 1, hour: Number(hour) };
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

export function weekHoursOf(all: readonly Scan[], request: AnalyticsRequest) {
  const hours = weekdays.flatMap((_, day) =>
    Array.from({ length: 24 }, (_none, hour) => ({ weekday: day + 1, hour, total_scans: 0 })),
  );
  for (const scan of all.filter(scan => isAsked(request, scan))) {
    const { weekday, hour } = clockAt(scan.atMs, request.timezone);
    hours.find(entry => entry.weekday === weekday && entry.hour === hour)!.total_scans++;
  }
  return hours;
}

/** Compares text by bytes, as both stores do. */
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

function top<Key extends string>(scans: readonly Scan[], keyOf: (scan: Scan) => readonly string[]) {
  const groups = Map.groupBy(scans, scan => JSON.stringify(keyOf(scan)) as Key);
  return [...groups]
    .map(([key, group]) => ({ key: JSON.parse(key) as string[], scans: group.length }))
    .sort(
      (a, b) => b.scans - a.scans || byBytes(a.key[0]!, b.key[0]!) || byBytes(a.key[1] ?? '', b.key[1] ?? ''),
    )
    .slice(0, 10);
}

const countsBy = (names: readonly string[], scans: readonly Scan[], nameOf: (scan: Scan) => string) =>
  Object.fromEntries(names.map(name => [name, scans.filter(scan => nameOf(scan) === name).length]));

/** Everything that the summary of a code and the aggregate of an account have in common. */
export function figuresOf(all: readonly Scan[], request: AnalyticsRequest) {
  const scans = all.filter(scan => isAsked(request, scan));
  const days = datesOf(request).length;
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
    devices: countsBy(devices, scans, scan => scan.device),
    browsers: countsBy(browsers, scans, scan => scan.browser),
  };
}

/** By where scans led: the destination, then what the rules lead to, then what they led to if there are scans. */
export function targetsOf(
  all: readonly Scan[],
  request: AnalyticsRequest,
  targets: readonly DatasetTarget[],
) {
  const scans = all.filter(scan => isAsked(request, scan));
  const figures = (id: string) => {
    const own = scans.filter(scan => scan.targetId === id);
    return { scans: own.length, unique_visitors: visitorsOf(own) };
  };
  const none = { target_id: null, rule_id: null, label: '', url: 'https://example.com' };
  return [
    { ...none, ...figures(zeroId) },
    ...targets
      .map(({ id, ruleId, label, url, isGone }) => ({
        isGone,
        target_id: formatId('tgt', id),
        rule_id: formatId('rul', ruleId),
        label,
        url,
        ...figures(id),
      }))
      .filter(target => !target.isGone || target.scans > 0)
      .map(({ isGone: _, ...target }) => target),
  ];
}

/** By where the code was printed: nowhere in particular, then its placements, then one that is gone if it has scans. */
export function placementsOf(all: readonly Scan[], request: AnalyticsRequest) {
  const scans = all.filter(scan => isAsked(request, scan));
  return ['', ...placementKeys].flatMap(key => {
    const own = scans.filter(scan => scan.placement === key);
    if (key === 'gone' && own.length === 0) return [];
    const name = key === '' || key === 'gone' ? '' : `At ${key}`;
    return [{ key, name, scans: own.length, unique_visitors: visitorsOf(own) }];
  });
}

export const topCodesOf = (all: readonly Scan[], request: AnalyticsRequest, store: StoreName) =>
  top(
    all.filter(scan => isAsked(request, scan)),
    scan => [idOrders[store](scan.qrCodeId), scan.qrCodeId],
  ).map(({ key, scans }) => ({ id: key[1]!, scans }));

/** ClickHouse orders UUIDs by their second half first, PostgreSQL as they are written. */
const idOrders: Readonly<Record<StoreName, (uuid: string) => string>> = {
  clickhouse(uuid) {
    const hex = uuid.replaceAll('-', '');
    return hex.slice(16) + hex.slice(0, 16);
  },
  postgres: uuid => uuid,
};

/** Scans of the period, newest first. */
export const listOf = (all: readonly Scan[], request: AnalyticsRequest, store: StoreName) =>
  all
    .filter(scan => isAsked(request, scan))
    .sort((a, b) => b.atMs - a.atMs || byBytes(idOrders[store](b.id), idOrders[store](a.id)));

/** Scans that are the first of their visitor, code and window, in order of arrival. */
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

/** Whether the bounds in the response are the first and the last second of the requested period. */
export function boundsFit(
  request: AnalyticsRequest,
  { start, end }: { start: string; end: string },
): boolean {
  const [from, to] = [Date.parse(start), Date.parse(end)];
  const isSecond = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
  return (
    isSecond.test(start) &&
    isSecond.test(end) &&
    isIn({ ...request, end_date: '2099-12-31' }, from) &&
    !isIn({ ...request, end_date: '2099-12-31' }, from - 1) &&
    isIn({ ...request, start_date: '1970-01-02' }, to + 999) &&
    !isIn({ ...request, start_date: '1970-01-02' }, to + 1000)
  );
}
