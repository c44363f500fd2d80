import { parseArgs } from 'node:util';
import { startMigratedClickHouse } from '@signpost/testing/clickhouse.ts';
import { ask } from '@signpost/testing/client.ts';
import { createFixture } from '@signpost/testing/fixture.ts';
import { type Crowd, createProgressBar, generateScans, numbered } from '@signpost/testing/scan-generator.ts';
import { contextOn } from '@signpost/testing/unshared-queries.ts';
import { listBuckets, parsePeriod } from '../apps/server/src/analytics/period.ts';
import * as store from '../apps/server/src/analytics/store.ts';
import { parseId } from '../apps/server/src/kernel/ids.ts';
import type { ClickHouse } from '../apps/server/src/platform/clickhouse/clickhouse.ts';
import { sql } from '../apps/server/src/platform/postgres/postgres.ts';
import type { Filters, Scope } from '../apps/server/src/scans/stores/scope.ts';
import { toTimeRange } from '../apps/server/src/scans/stores/time-range.ts';
import { median } from './median.ts';
import { compareStores } from './scan-stores.ts';

const aims = { ratio: 0.7, growth: 5, deep: 5 };
const days = 30;
const dayMs = 86_400_000;

/**
 * `npm run bench -- analytics [--scans 100000000] [--large 10000000]`: every endpoint over HTTP, against the same SQL run on
 * the same engine directly; a code with a tenth of all scans against one with ten thousand; the first page against the last;
 * its summary with filters against that without; and the cost of the same figures without roll-ups.
 */
export default async function bench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      scans: { type: 'string' },
      large: { type: 'string' },
      rounds: { type: 'string' },
      store: { type: 'string' },
    },
  });
  if (values.store === 'postgres') return await compareStores(Number(values.scans ?? 5_000_000));
  const scans = Number(values.scans ?? 100_000_000);
  const largeScans = Number(values.large ?? scans / 10);
  const rest = scans - largeScans;
  const rounds = Number(values.rounds ?? 15);
  const { engine, clickhouse } = await startMigratedClickHouse();
  const fixture = await createFixture({ CLICKHOUSE_URL: engine.url, LOG_LEVEL: 'warn' });
  const server = await fixture.server();
  const [owner, wide] = [await fixture.account(), await fixture.account()];
  const make = async (name: string, key: string) =>
    (
      await ask({
        method: 'POST',
        url: `${server.url}/v1/qrcodes`,
        key,
        body: { name, destination_url: 'https://example.com' },
      })
    ).body.id as string;
  const [large, small] = [await make('Large', owner.live), await make('Small', owner.live)];
  const codes = Math.max(1_000, scans / 100);
  for (let first = 0; first < codes; first += codesAtOnce)
    await fixture.db.query(addCodes, [wide.id, first, Math.min(codesAtOnce, codes - first)]);

  const today = Math.floor(Date.now() / dayMs) * dayMs;
  const fromMs = today - (days - 1) * dayMs;
  const own = (id: string) => ({
    account: `toUUID('${owner.id}')`,
    code: `toUUID('${parseId('qr', id)}')`,
    fromMs,
    days,
  });
  const crowds: Crowd[] = [
    { ...own(small), scans: 10_000, visitors: 3_000 },
    { ...own(large), scans: largeScans, visitors: Math.ceil(largeScans / 3) },
    {
      scans: Math.floor((rest * 2) / 9),
      account: `toUUID('${wide.id}')`,
      code: numbered('01900000', `cityHash64(n, 3) % ${codes}`),
      visitors: Math.ceil(rest / 9),
      fromMs: today - 89 * dayMs,
      days: 90,
    },
    {
      scans: rest - Math.floor((rest * 2) / 9) - 10_000,
      account: numbered('01800000', 'cityHash64(n, 4) % 10000'),
      code: numbered('01800000', `cityHash64(n, 4) % 10000 + 10000 * (cityHash64(n, 5) % 100)`),
      visitors: Math.ceil(rest / 5),
      fromMs: today - 359 * dayMs,
      days: 360,
    },
  ];
  const began = performance.now();
  await generateScans(clickhouse, crowds, createProgressBar('scans'));
  const loadedIn = ((performance.now() - began) / 1_000).toFixed(0);
  await settle(clickhouse);

  const period = parsePeriod({}, new Date());
  const kolkata = { timezone: 'Asia/Kolkata' };
  const zoned = parsePeriod(kolkata, new Date());
  const asking = contextOn(clickhouse, 120_000);
  const scopeOf = (id: string): Scope => ({
    accountId: owner.id,
    mode: 'live',
    qrCodeId: parseId('qr', id)!,
  });
  const all: Scope = { accountId: wide.id, mode: 'live' };
  const base = (id: string) => `/v1/qrcodes/${id}/analytics`;
  const lastPage = Math.floor(largeScans / 500);
  const figures = (scope: Scope, of = period) =>
    Promise.all([
      store.totals(asking, scope, of),
      store.topCountries(asking, scope, of),
      store.topCities(asking, scope, of),
      store.agents(asking, scope, of),
    ]);
  const first = (scope: Scope) =>
    Promise.all([
      store.totals(asking, scope, period),
      store.listScans(asking, scope, toTimeRange(period), { limit: 500, offset: 0 }),
    ]);
  const deep = async (scope: Scope) => {
    const offset = (lastPage - 1) * 500;
    const quarter = (await store.findQuarter(asking, scope, period, offset))!;
    const span = { ...toTimeRange(period), toMs: quarter.endMs };
    await Promise.all([
      store.totals(asking, scope, period),
      store.listScans(asking, scope, span, { limit: 500, offset: offset - quarter.before }),
    ]);
  };
  const queries: [name: string, path: string, key: string, bare: () => Promise<unknown>][] = [
    ['summary_small', base(small), owner.live, () => figures(scopeOf(small))],
    ['summary_large', base(large), owner.live, () => figures(scopeOf(large))],
    [
      'summary_zone',
      `${base(large)}?timezone=Asia/Kolkata`,
      owner.live,
      () => figures(scopeOf(large), zoned),
    ],
    [
      'week_hours',
      `${base(large)}/week-hours?timezone=Asia/Kolkata`,
      owner.live,
      () => store.weekHours(asking, scopeOf(large), zoned),
    ],
    [
      'series_day',
      `${base(large)}/timeseries`,
      owner.live,
      () => store.series(asking, scopeOf(large), period, listBuckets(period, 'day')),
    ],
    [
      'series_hour',
      `${base(large)}/timeseries?interval=hour`,
      owner.live,
      () => store.series(asking, scopeOf(large), period, listBuckets(period, 'hour')),
    ],
    [
      'series_zone',
      `${base(large)}/timeseries?timezone=Asia/Kolkata`,
      owner.live,
      () => store.series(asking, scopeOf(large), zoned, listBuckets(zoned, 'day')),
    ],
    ['scans_first', `${base(large)}/scans?limit=500`, owner.live, () => first(scopeOf(large))],
    ['scans_last', `${base(large)}/scans?limit=500&page=${lastPage}`, owner.live, () => deep(scopeOf(large))],
    [
      'aggregate',
      '/v1/analytics/aggregate',
      wide.live,
      () =>
        Promise.all([
          figures(all),
          store.series(asking, all, period, listBuckets(period, 'day')),
          store.topCodes(asking, all, period),
        ]),
    ],
  ];
  const results = new Map<string, { api: number; bare: number }>();
  for (const [name, path, key, bare] of queries) {
    const times: { api: number[]; bare: number[] } = { api: [], bare: [] };
    for (let round = 0; round < rounds + 2; round++) {
      const start = performance.now();
      await bare();
      const bareMs = performance.now() - start;
      const { status, ms, body } = await ask({ url: server.url + path, key, timeoutMs: 120_000 });
      if (status !== 200) throw new Error(`${name} answers ${status}: ${JSON.stringify(body)}`);
      // The first two are warm-up.
      if (round < 2) continue;
      times.api.push(ms);
      times.bare.push(bareMs);
    }
    const result = { api: median(times.api), bare: median(times.bare) };
    results.set(name, result);
    console.log(
      `analytics ${name.padEnd(15)} api ${result.api.toFixed(1)} ms, bare ${result.bare.toFixed(1)} ms, ratio ${(result.bare / result.api).toFixed(2)}`,
    );
  }
  await compareWays(clickhouse, scopeOf(large));
  const filteredToPlain = await compareFilters(filters => figures({ ...scopeOf(large), filters }), rounds);

  const ms = (name: string) => results.get(name)!.api;
  const ratio = Math.min(...[...results.values()].map(({ api, bare }) => bare / api));
  const growth = ms('summary_large') / ms('summary_small');
  const deepness = ms('scans_last') / ms('scans_first');
  await fixture.close();
  await clickhouse.close();
  await engine.remove();
  console.log(
    `analytics scans ${scans} large ${largeScans} loaded_seconds ${loadedIn} worst_ratio ${ratio.toFixed(2)} aim ${aims.ratio} large_to_small ${growth.toFixed(2)} aim ${aims.growth} last_to_first_page ${deepness.toFixed(2)} aim ${aims.deep} filtered_to_plain ${filteredToPlain.toFixed(2)}`,
  );
  if (ratio < aims.ratio || growth > aims.growth || deepness > aims.deep) process.exitCode = 1;
}

/** Waits until ClickHouse has finished its merges, so that queries have the cores to themselves. */
async function settle(clickhouse: ClickHouse): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    const [row] = await clickhouse.query<{ merges: number }>(`select count() as merges from system.merges`);
    quiet = row!.merges === 0 ? quiet + 1 : 0;
    await new Promise(resolve => setTimeout(resolve, 1_000));
  }
}

/** Distinct visitors of the large code in 30 days, by the stored state and by alternatives. */
async function compareWays(clickhouse: ClickHouse, scope: Scope): Promise<void> {
  const from = `from scans where account_id = {account: UUID} and mode = 'live' and qr_code_id = {code: UUID} and toDate(at) >= today() - 29`;
  const ways = {
    'bitmaps of days': `select count(), groupBitmap(visitor_number) ${from}`,
    'rows, bitmap': `select count(), groupBitmap(visitor_number) ${from} settings optimize_use_projections = 0`,
    'rows, uniqExact of numbers': `select count(), uniqExact(visitor_number) ${from} settings optimize_use_projections = 0`,
    'rows, uniqExact of hashes': `select count(), uniqExact(visitor) ${from} settings optimize_use_projections = 0`,
  };
  const params = { account: scope.accountId, code: scope.qrCodeId };
  for (const [way, query] of Object.entries(ways)) {
    const times: number[] = [];
    for (let round = 0; round < 5; round++) {
      const start = performance.now();
      await clickhouse.query(query, params, { timeoutMs: 120_000 });
      times.push(performance.now() - start);
    }
    console.log(`analytics visitors by ${way.padEnd(27)} ${median(times).toFixed(1)} ms`);
  }
}

/** The summary with filters against that without, in turns, so that other work slows all of them. Returns the worst ratio. */
async function compareFilters(
  summary: (filters: Filters) => Promise<unknown>,
  rounds: number,
): Promise<number> {
  const ways: Readonly<Record<string, Filters>> = {
    none: {},
    device: { device: 'ios' },
    country: { country: 'DE' },
    both: { country: 'DE', device: 'ios' },
  };
  const times = new Map<string, number[]>(Object.keys(ways).map(way => [way, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [way, filters] of Object.entries(ways)) {
      const start = performance.now();
      await summary(filters);
      times.get(way)!.push(performance.now() - start);
    }
  }
  const plain = median(times.get('none')!);
  const ratios = [...times].map(([way, all]) => {
    console.log(`analytics summary filtered by ${way.padEnd(8)} ${median(all).toFixed(1)} ms`);
    return median(all) / plain;
  });
  return Math.max(...ratios);
}

const codesAtOnce = 20_000;

/** Codes of the account with many codes, with the ids that the generator assigns. */
const addCodes = sql(
  'bench-add-codes',
  `with made as (
     insert into qr_codes (id, account_id, mode, number, status, made_by, short_code, link_key, name, destination_url, style, created_at, updated_at)
     select ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'live', n + 1, 'active', 'api',
            'wide-' || n, 'wide-' || n, 'Code ' || n, 'https://example.com', '{}', now(), now()
       from generate_series($2::bigint, $2::bigint + $3::bigint - 1) n)
   update code_counts set active = active + $3, last_number = last_number + $3 where account_id = $1 and mode = 'live'`,
);
