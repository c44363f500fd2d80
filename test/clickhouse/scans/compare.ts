import { isDeepStrictEqual } from 'node:util';
import { systemClock } from '../../../apps/server/src/kernel/clock.ts';
import { createIds } from '../../../apps/server/src/kernel/ids.ts';
import type { Place, ScanQueries } from '../../../apps/server/src/scans/stores/scan-queries.ts';
import type { Scope } from '../../../apps/server/src/scans/stores/scope.ts';
import { dayMs, type TimeRange } from '../../../apps/server/src/scans/stores/time-range.ts';
import { collect } from '../collect.ts';
import * as expected from './expected.ts';
import { type Account, fromMs, toMs } from './generate.ts';
import type { HeldScan } from './held-scan.ts';

const limits = { timeoutMs: 60_000 };
const hourMs = 3_600_000;

const whole: TimeRange = { fromMs, toMs };
/** Days of UTC, days two hours ahead of it, and neither. */
const ranges: readonly TimeRange[] = [
  whole,
  { fromMs: fromMs + 9 * dayMs - 2 * hourMs, toMs: fromMs + 40 * dayMs - 2 * hourMs },
  { fromMs: fromMs + 12_345_678, toMs: toMs - 987_654_321 },
];

const ids = createIds(systemClock);
/** Codes that have no scans; their parameters are as long as a URL ever has to be. */
const strangers = Array.from({ length: 5_000 }, () => ids.next());

function scopesOf({ id: accountId, codes }: Account): Scope[] {
  const live = { accountId, mode: 'live' } as const;
  return [
    live,
    { accountId, mode: 'test' },
    { ...live, qrCodeId: codes[0]! },
    { ...live, codes: codes.slice(1, 4) },
    { ...live, excludedCodes: [codes[1]!, ...strangers] },
    { ...live, filters: { device: 'ios', browser: 'safari' } },
    { ...live, qrCodeId: codes[0]!, filters: { country: 'DE', placement: 'till' } },
  ];
}

/** Every scope and every range at least once. */
const allCases = (account: Account) => [
  ...scopesOf(account).map((scope, index) => ({ scope, range: ranges[index % ranges.length]! })),
  ...ranges.slice(1).map(range => ({ scope: scopesOf(account)[0]!, range })),
];

/** One by roll-ups, one by rows. */
const someCases = (account: Account) => [allCases(account)[0]!, allCases(account)[2]!];

/** Asks ClickHouse and compares with what was computed here. Returns the number of answers that were compared. */
export async function compareFigures(
  queries: ScanQueries,
  accounts: readonly Account[],
  held: readonly HeldScan[],
  areAllCases = false,
): Promise<number> {
  let compared = 0;
  function same(what: string, found: unknown, wanted: unknown): void {
    if (!isDeepStrictEqual(found, wanted)) throw new Error(`${what}: ${describe(found, wanted)}`);
    compared++;
  }
  for (const [index, account] of accounts.entries()) {
    const cases = areAllCases && index === 0 ? allCases(account) : someCases(account);
    for (const { scope, range } of cases) await compareCounts(queries, scope, range, held, same);
    await compareRows(queries, account, held, same);
  }
  const found = await queries.countByAccount(
    accounts.map(({ id }) => id),
    fromMs,
    limits,
  );
  const wanted = accounts.map(({ id }) => ({
    accountId: id,
    scans: expected.selectScans(held, { accountId: id, mode: 'live' }, whole).length,
  }));
  same('countByAccount', sorted(found), sorted(wanted.filter(({ scans }) => scans > 0)));
  return compared;
}

type Same = (what: string, found: unknown, wanted: unknown) => void;

async function compareCounts(
  queries: ScanQueries,
  scope: Scope,
  range: TimeRange,
  held: readonly HeldScan[],
  same: Same,
): Promise<void> {
  const scans = expected.selectScans(held, scope, range);
  same('totals', await queries.totals(scope, range, limits), expected.totalsOf(scans));
  const starts = [range.fromMs, range.fromMs + 10 * dayMs, range.fromMs + 21 * dayMs];
  const series = [...(await queries.series(scope, range, starts, limits))];
  const found = series.map(([start, { scans, visitors }]) => ({ start, scans, visitors }));
  same('series', sorted(found), sorted(expected.seriesOf(scans, starts)));
  const offsets = [
    { startMs: range.fromMs, offsetMs: hourMs },
    { startMs: starts[1]!, offsetMs: 2 * hourMs },
  ];
  const hours = await queries.weekHours(scope, range, offsets, limits);
  same('weekHours', sorted(hours), sorted(expected.weekHoursOf(scans, offsets)));
  for (const columns of [['country', 'city'], ['device'], ['qr_code_id']] as const) {
    const counts = await queries.countBy(scope, range, { columns, limit: 1000 }, limits);
    same(`countBy ${columns}`, sorted(counts), sorted(expected.countsBy(scans, columns)));
  }
  for (const column of ['target_id', 'placement'] as const) {
    const totals = await queries.totalsBy(scope, range, column, limits);
    same(`totalsBy ${column}`, sorted(totals), sorted(expected.totalsBy(scans, column)));
  }
  const isAt = (scan: HeldScan, { city, country }: Place) => scan.city === city && scan.country === country;
  const places = scans
    .filter((scan, at) => scans.findIndex(other => isAt(other, scan)) === at)
    .slice(0, 3)
    .map(({ city, country }) => ({ city, country }));
  const visitorsOf = (chosen: readonly HeldScan[]) => expected.totalsOf(chosen).visitors;
  same(
    'visitorsIn',
    await queries.visitorsIn(scope, range, places, scans.length + 1, limits),
    places.map(place => visitorsOf(scans.filter(scan => isAt(scan, place)))),
  );
  const outside = scans.filter(scan => !places.some(place => isAt(scan, place)));
  same(
    'visitorsOutside',
    await queries.visitorsOutside(scope, range, places, scans.length + 1, limits),
    visitorsOf(outside),
  );
}

async function compareRows(
  queries: ScanQueries,
  { id: accountId, codes }: Account,
  held: readonly HeldScan[],
  same: Same,
): Promise<void> {
  const scope = { accountId, mode: 'live' } as const;
  const scans = expected.selectScans(held, scope, whole);
  const stored = expected.newestFirst(scans).map(expected.toStored);
  const list = await queries.list(scope, whole, { limit: 50, offset: 20 }, limits);
  same('list', list, stored.slice(20, 70));
  same('read', await collect(queries.read(scope, whole, limits)), stored);
  const byCode = await collect(queries.readByCode(scope, whole, limits));
  same(
    'readByCode',
    byCode.map(({ id }) => id),
    expected.byCodeNewestFirst(scans).map(({ id }) => id),
  );
  const spans = [0, 1].map(shard => ({
    shard,
    after: { log: 1, position: 2, index: 4 },
    upTo: { log: 1, position: 1_000_000, index: 0 },
  }));
  const atMost = { perShard: 500, limit: 1_000 };
  const logged = await queries.readLog(scope, spans, atMost, limits);
  const isAfter = ({ shard, position, place }: HeldScan) =>
    shard < 2 && (position > 2 || (position === 2 && place > 4));
  const wanted = expected.inLogOrder(scans).filter(isAfter);
  const firsts = [0, 1].flatMap(shard => wanted.filter(scan => scan.shard === shard).slice(0, 500));
  same(
    'readLog',
    logged.map(({ id }) => id),
    firsts.map(({ id }) => id),
  );
  const byDay = await queries.countByDay(accountId, codes, fromMs, limits);
  const all = held.filter(scan => scan.account_id === accountId);
  same('countByDay', sorted(byDay), sorted(expected.countsByDay(all)));
}

/** In an order of its own, with the fields of each in one order. */
const sorted = (values: readonly object[]) =>
  values.map(value => JSON.stringify(value, fieldsOf(value))).sort();
const fieldsOf = (value: object) => Object.keys(value).sort();

function describe(found: unknown, wanted: unknown): string {
  if (!Array.isArray(found) || !Array.isArray(wanted))
    return `${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`;
  const at = wanted.findIndex((value, index) => !isDeepStrictEqual(value, found[index]));
  const first = at < 0 ? wanted.length : at;
  return `${found.length} instead of ${wanted.length} values, the first difference at ${first}: ${shorten(found[first])} instead of ${shorten(wanted[first])}`;
}

const shorten = (value: unknown) => String(JSON.stringify(value)).slice(0, 300);
