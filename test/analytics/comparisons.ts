import { parseStrictCsv } from '@signpost/testing/strict-csv.ts';
import { expect } from 'vitest';
import { formatId, zeroId } from '../../apps/server/src/kernel/ids.ts';
import type { Scan } from '../../apps/server/src/scans/scan.ts';
import type { Dataset, DatasetTarget } from './dataset.ts';
import {
  type AnalyticsRequest,
  boundsFit,
  figuresOf,
  firstsOf,
  listOf,
  placementsOf,
  type RemovedMonths,
  reachesBack,
  seriesLacks,
  seriesOf,
  sumsLack,
  targetsOf,
  topCodesOf,
  weekHoursOf,
} from './model.ts';

const seriesQueryOf = (request: AnalyticsRequest) => new URLSearchParams(request).toString();
/** For what has no interval. */
const queryOf = ({ interval: _interval, ...rest }: AnalyticsRequest) => new URLSearchParams(rest).toString();

function recordOf(firsts: ReadonlySet<string>) {
  return ({
    id,
    atMs,
    country,
    region,
    city,
    device,
    browser,
    language,
    targetId,
    ruleId,
    placement,
  }: Scan) => ({
    id: formatId('scan', id),
    timestamp: new Date(atMs).toISOString(),
    country,
    region,
    city,
    device,
    browser,
    is_unique: firsts.has(id),
    language,
    target_id: targetId === zeroId ? '' : formatId('tgt', targetId),
    rule_id: ruleId === zeroId ? '' : formatId('rul', ruleId),
    placement,
  });
}

const sum = (entries: readonly { total_scans: number }[]) =>
  entries.reduce((all, one) => all + one.total_scans, 0);
const total = (map: Record<string, number>) => Object.values(map).reduce((all, one) => all + one, 0);

/** The scans that an account has, and where to ask about them. */
export type StoredSet = {
  readonly dataset: Dataset;
  readonly scans: readonly Scan[];
  readonly codes: readonly string[];
  readonly key: string;
  /** Those of the first code. */
  readonly targets: readonly DatasetTarget[];
  /** Months whose scans were removed. */
  readonly removed?: RemovedMonths;
};

let compared = 0;

/** How many answers were compared so far. */
export const comparedAnswers = () => compared;

const get = async ({ dataset, key }: StoredSet, url: string) => {
  const reply = await dataset.api.call({ url, key });
  expect(reply.status).toBe(200);
  compared++;
  return reply;
};

/** Sums do not answer it, and it is refused. */
async function isRefused(set: StoredSet, url: string): Promise<void> {
  const { status, body } = await set.dataset.api.call({ url, key: set.key });
  expect([status, body.error?.code]).toEqual([400, 'period_not_retained']);
  compared++;
}

/** The field of answers that reach back to removed months. */
const retainedFrom = ({ removed }: StoredSet, request: AnalyticsRequest) =>
  removed && reachesBack(request, removed)
    ? { retained_from: new Date(removed.retainedMs).toISOString().replace('.000Z', 'Z') }
    : {};

const retained = ({ removed }: StoredSet, scans: readonly Scan[]) =>
  scans.filter(scan => !removed || scan.atMs >= removed.retainedMs);

/** Sums have no cities. */
const figures = (set: StoredSet, scans: readonly Scan[], request: AnalyticsRequest) => ({
  ...figuresOf(scans, request),
  top_cities: figuresOf(retained(set, scans), request).top_cities,
});

const baseOf = (code: string) => `/v1/qrcodes/${formatId('qr', code)}/analytics`;

/** Bounds, totals, top lists and maps, by both paths; and the series, which adds up to them. */
export async function summaryAgrees(set: StoredSet, request: AnalyticsRequest): Promise<void> {
  const { scans, codes } = set;
  const code = codes[0]!;
  const own = scans.filter(scan => scan.qrCodeId === code);
  const summaryUrl = `${baseOf(code)}?${queryOf(request)}`;
  const seriesUrl = `${baseOf(code)}/timeseries?${seriesQueryOf(request)}`;
  if (seriesLacks(request, set.removed)) await isRefused(set, seriesUrl);
  if (sumsLack(request, set.removed)) return isRefused(set, summaryUrl);
  const { body: summary } = await get(set, summaryUrl);
  const qr_id = formatId('qr', code);
  expect(boundsFit(request, summary.period)).toBe(true);
  expect(summary).toEqual({
    qr_id,
    period: summary.period,
    ...retainedFrom(set, request),
    ...figures(set, own, request),
    not_redirected: {},
    targets: targetsOf(own, request, set.targets),
    placements: placementsOf(own, request),
  });
  if (request.timezone === 'UTC') {
    const other = `/v1/analytics/qrcodes/${formatId('qr', code)}?${queryOf(request)}`;
    expect((await get(set, other)).body).toEqual(summary);
  }
  const { total_scans } = summary.summary;
  const scansOf = (list: readonly { scans: number }[]) => list.reduce((all, one) => all + one.scans, 0);
  expect([
    total(summary.devices),
    total(summary.browsers),
    scansOf(summary.targets),
    scansOf(summary.placements),
  ]).toEqual(Array(4).fill(total_scans));
  if (seriesLacks(request, set.removed)) return;
  const { body: series } = await get(set, seriesUrl);
  const data = seriesOf(own, request, summary.period);
  expect(series).toEqual({ qr_id, interval: request.interval, ...retainedFrom(set, request), data });
  expect(sum(series.data)).toBe(total_scans);
}

/** A page, and both exports, which have as many rows as its total. */
export async function scansAgree(set: StoredSet, request: AnalyticsRequest): Promise<void> {
  const { scans, codes } = set;
  const code = codes.at(-1)!;
  const list = listOf(
    retained(set, scans).filter(scan => scan.qrCodeId === code),
    request,
    set.dataset.store,
  );
  const limit = 1 + (list.length % 40);
  const page = 1 + Math.floor((list.length / limit) * 0.7);
  const query = queryOf(request);
  const [{ body: listed }, { body: json }, { text: csv }] = await Promise.all([
    get(set, `${baseOf(code)}/scans?${query}&page=${page}&limit=${limit}`),
    get(set, `${baseOf(code)}/export?${query}&format=json`),
    get(set, `${baseOf(code)}/export?${query}`),
  ]);
  const records = list.map(recordOf(firstsOf(scans)));
  expect(listed).toEqual({
    data: records.slice((page - 1) * limit, page * limit),
    pagination: {
      page,
      limit,
      total: list.length,
      total_pages: Math.ceil(list.length / limit),
      has_more: page * limit < list.length,
    },
    ...retainedFrom(set, request),
  });
  expect(boundsFit(request, json.period)).toBe(true);
  expect(json).toEqual({
    qr_id: formatId('qr', code),
    period: json.period,
    ...retainedFrom(set, request),
    data: records,
    total: list.length,
  });
  const rows = parseStrictCsv(csv);
  expect(rows[0]).toEqual(Object.keys(recordOf(new Set())(scans[0]!)));
  expect(rows.slice(1)).toEqual(
    records.map(record => Object.values(record).map(value => String(value).replace(/^=/, "'="))),
  );
}

/** All codes of the account together. */
export async function aggregateAgrees(set: StoredSet, request: AnalyticsRequest): Promise<void> {
  const { scans, codes } = set;
  const url = `/v1/analytics/aggregate?${seriesQueryOf(request)}`;
  if (seriesLacks(request, set.removed)) return isRefused(set, url);
  const { body } = await get(set, url);
  const expected = figures(set, scans, request);
  // Ids of equal counts are sorted as PostgreSQL does, where its sums are part of the answer.
  const order = reachesBack(request, set.removed) ? 'postgres' : set.dataset.store;
  expect(boundsFit(request, body.period)).toBe(true);
  expect(body).toEqual({
    ...expected,
    period: body.period,
    ...retainedFrom(set, request),
    summary: { ...expected.summary, qr_codes: codes.length },
    top_qr_codes: topCodesOf(scans, request, order).map(({ id, scans: n }) => ({
      qr_id: formatId('qr', id),
      name: set.dataset.nameOf(id),
      scans: n,
    })),
    timeseries: seriesOf(scans, request, body.period),
  });
  expect(sum(body.timeseries)).toBe(body.summary.total_scans);
}

/** The hours of the week of a code and of the account, which add up to the total. */
export async function weekHoursAgree(set: StoredSet, request: AnalyticsRequest): Promise<void> {
  const { scans, codes } = set;
  const code = codes[0]!;
  const query = queryOf(request);
  if (reachesBack(request, set.removed)) {
    await isRefused(set, `${baseOf(code)}/week-hours?${query}`);
    return isRefused(set, `/v1/analytics/week-hours?${query}`);
  }
  const [{ body: ofCode }, { body: ofAll }, { body: summary }] = await Promise.all([
    get(set, `${baseOf(code)}/week-hours?${query}`),
    get(set, `/v1/analytics/week-hours?${query}`),
    get(set, `${baseOf(code)}?${query}`),
  ]);
  const own = scans.filter(scan => scan.qrCodeId === code);
  expect(ofCode).toEqual({ data: weekHoursOf(own, request) });
  expect(ofAll).toEqual({ data: weekHoursOf(scans, request) });
  expect(sum(ofCode.data)).toBe(summary.summary.total_scans);
}
