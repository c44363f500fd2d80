import { scanOf } from '@signpost/testing/scan-ledger.ts';
import { contextOn } from '@signpost/testing/unshared-queries.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parsePeriod } from '../../apps/server/src/analytics/period.ts';
import * as store from '../../apps/server/src/analytics/store.ts';
import { formatId } from '../../apps/server/src/kernel/ids.ts';
import type { ClickHouse } from '../../apps/server/src/platform/clickhouse/clickhouse.ts';
import { browsers, devices, type Scan } from '../../apps/server/src/scans/scan.ts';
import type { Scope } from '../../apps/server/src/scans/stores/scope.ts';
import { createDataset, type Dataset, type DatasetCode } from './dataset.ts';
import { type AnalyticsFilters, listOf } from './model.ts';

let dataset: Dataset;
let key: string;
let codes: readonly DatasetCode[];

beforeAll(async () => {
  dataset = await createDataset();
  ({ key, codes } = await dataset.account(3));
});
afterAll(() => dataset.close());

const get = (code: DatasetCode, path: string) =>
  dataset.api.call({ url: `/v1/qrcodes/${code.wireId}/analytics${path}`, key });
const queryOf = (params: Record<string, string>) => new URLSearchParams(params).toString();

describe('pages far down, found by the counts of quarter hours', () => {
  const scans: Scan[] = [];
  const period = { start_date: '2024-05-01', end_date: '2024-05-02', timezone: 'Asia/Kolkata' };

  beforeAll(async () => {
    const from = Date.parse('2024-05-01T02:00:00Z');
    for (let n = 0; n < 6_000; n++)
      scans.push(
        scanOf(codes[0]!, n, {
          // Crowded and empty quarter hours by turns.
          atMs: from + Math.floor(n / 700) * 3_600_000 + (n % 700) * 2_000,
          device: devices[n % 3 === 0 ? 1 : 0]!,
          browser: browsers[n % browsers.length]!,
          country: n % 5 === 0 ? 'FR' : 'DE',
          city: n % 5 === 0 ? 'Paris' : 'Munich',
        }),
      );
    await dataset.add(scans);
  }, 120_000);

  test.each<AnalyticsFilters>([{}, { device: 'ios' }, { country: 'DE' }, { city: 'Munich', device: 'ios' }])(
    '%o: every page has its scans, and the pages have them all',
    { timeout: 120_000 },
    async filters => {
      const expected = listOf(scans, { ...period, ...filters, interval: 'day' }, dataset.store).map(
        ({ id }) => formatId('scan', id),
      );
      expect(expected.length).toBeGreaterThan(3_000);
      const listed: string[] = [];
      for (let page = 1; listed.length < expected.length; page++) {
        const query = queryOf({ ...period, ...filters, limit: '487', page: String(page) });
        const { status, body } = await get(codes[0]!, `/scans?${query}`);
        expect([status, body.pagination.total, body.data.length > 0]).toEqual([200, expected.length, true]);
        listed.push(...body.data.map(({ id }: { id: string }) => id));
      }
      expect(listed).toEqual(expected);
    },
  );
});

describe('scans of a placement that was deleted', () => {
  const day = { start_date: '2024-07-01', end_date: '2024-07-01' };
  const code = () => codes[2]!;
  const remove = (placement: string) =>
    dataset.api.call({ method: 'DELETE', url: `/v1/qrcodes/${code().wireId}/placements/${placement}`, key });
  const placementsOf = async () => {
    const { body } = await get(code(), `?${queryOf(day)}`);
    expect(body.summary.total_scans).toBe(6);
    return body.placements;
  };
  const count = async (placement: string) =>
    (await get(code(), `?${queryOf({ ...day, placement })}`)).body.summary.total_scans;

  beforeAll(async () => {
    const atMs = Date.parse('2024-07-01T10:00:00Z');
    const keys = ['', 'window', 'window', 'window', 'till', 'gone'];
    await dataset.add(keys.map((placement, n) => scanOf(code(), 30_000 + n, { atMs, placement })));
  });

  test('stay under its key without a name, and the figures still add up to the total', async () => {
    const [none, till, gone] = [
      { key: '', name: '', scans: 1, unique_visitors: 1 },
      { key: 'till', name: 'At till', scans: 1, unique_visitors: 1 },
      { key: 'gone', name: '', scans: 1, unique_visitors: 1 },
    ];
    const window = { key: 'window', name: 'At window', scans: 3, unique_visitors: 3 };
    expect(await placementsOf()).toEqual([none, window, till, gone]);
    await remove('window');
    const after = await placementsOf();
    expect(after.slice(0, 2)).toEqual([none, till]);
    expect(after.slice(2)).toHaveLength(2);
    expect(after.slice(2)).toEqual(expect.arrayContaining([{ ...window, name: '' }, gone]));
    expect([await count('window'), await count('')]).toEqual([3, 1]);
  });

  test('also when it was the last one of its code', async () => {
    await remove('till');
    const left = await placementsOf();
    expect(left.map(({ name }: { name: string }) => name)).toEqual(['', '', '', '']);
    const scans = left.map(({ key: placement, scans }: { key: string; scans: number }) => [placement, scans]);
    expect(new Map(scans)).toEqual(
      new Map([
        ['', 1],
        ['window', 3],
        ['till', 1],
        ['gone', 1],
      ]),
    );
  });
});

describe('a filter', () => {
  const odd = `O'Fal\\lon "\t"; --{city: String}\n`;
  const day = { start_date: '2024-06-01', end_date: '2024-06-01' };

  beforeAll(async () => {
    const atMs = Date.parse('2024-06-01T10:00:00Z');
    const places = [
      ['US', 'Paris'],
      ['FR', 'Paris'],
      ['XX', ''],
      ['XX', ''],
      ['XX', ''],
      ['US', odd],
    ] as const;
    await dataset.add(
      places.map(([country, city], n) => scanOf(codes[1]!, 10_000 + n, { atMs, country, city })),
    );
  });

  const count = async (filters: Record<string, string>) => {
    const { status, body } = await get(codes[1]!, `?${queryOf({ ...day, ...filters })}`);
    expect(status).toBe(200);
    return body.summary.total_scans;
  };

  test('by city covers every country, unless the country is given too', async () => {
    expect(await count({ city: 'Paris' })).toBe(2);
    expect(await count({ city: 'Paris', country: 'FR' })).toBe(1);
    expect(await count({ city: 'Paris', country: 'XX' })).toBe(0);
  });

  test('by country takes its code in any case of letters', async () => {
    expect(await count({ city: 'Paris', country: 'fr' })).toBe(1);
    expect(await count({ country: 'Xx' })).toBe(await count({ country: 'XX' }));
  });

  test('by an empty city finds scans from places that are not known', async () => {
    expect(await count({ city: '' })).toBe(3);
    expect(await count({ city: '', country: 'XX' })).toBe(3);
  });

  test('is a value and never a part of the query', async () => {
    expect(await count({ city: odd })).toBe(1);
    for (const city of [`' or 1 = 1 --`, '{code: UUID}', '\\', '\u0000', '%', '\\N'])
      expect(await count({ city }), city).toBe(0);
  });

  test('that no scan has gives zeros, in the whole form of the answer', async () => {
    for (const filters of [{ country: 'ZZ' }, { browser: 'netscape' }]) {
      const query = queryOf({ ...day, ...filters });
      const { body: summary } = await get(codes[1]!, `?${query}`);
      expect(summary).toMatchObject({
        summary: { total_scans: 0, unique_visitors: 0, avg_daily_scans: 0 },
        top_countries: [],
        top_cities: [],
        devices: { ios: 0, android: 0, desktop: 0, other: 0 },
      });
      const { body: hours } = await get(codes[1]!, `/week-hours?${query}`);
      expect(hours.data.filter((hour: { total_scans: number }) => hour.total_scans === 0)).toHaveLength(168);
      const { text: csv } = await get(codes[1]!, `/export?${query}`);
      expect(csv).toBe(
        'id,timestamp,country,region,city,device,browser,is_unique,language,target_id,rule_id,placement\r\n',
      );
    }
  });

  test('by a device that does not exist is refused, as is what is no country, too long or given twice', async () => {
    const base = `/v1/qrcodes/${codes[1]!.wireId}/analytics`;
    const paths = ['', '/scans', '/timeseries', '/export', '/week-hours'].map(path => base + path);
    const others = ['/v1/analytics/aggregate', '/v1/analytics/week-hours'];
    for (const path of [...paths, `/v1/analytics/qrcodes/${codes[1]!.wireId}`, ...others]) {
      const { status, body } = await dataset.api.call({ url: `${path}?device=tv`, key });
      expect([status, body.error.code, body.error.param], path).toEqual([400, 'invalid_request', 'device']);
      for (const query of [`city=${'x'.repeat(201)}`, 'country=DE&country=FR', 'country=Germany', 'country='])
        expect((await dataset.api.call({ url: `${path}?${query}`, key })).status, path).toBe(400);
    }
  });
});

describe('hours of the week at changes of clocks', () => {
  test('an hour that comes twice has the scans of both, and one that is left out has none', async () => {
    const at = [
      '2024-10-27T00:30:00Z',
      '2024-10-27T01:30:00Z',
      '2024-03-31T00:59:59Z',
      '2024-03-31T01:00:00Z',
    ];
    await dataset.add(at.map((text, n) => scanOf(codes[2]!, 20_000 + n, { atMs: Date.parse(text) })));
    const sunday = async (date: string) => {
      const query = queryOf({ start_date: date, end_date: date, timezone: 'Europe/Berlin' });
      const { body } = await get(codes[2]!, `/week-hours?${query}`);
      expect(body.data).toHaveLength(168);
      return body.data
        .filter((entry: { total_scans: number }) => entry.total_scans > 0)
        .map((entry: object) => Object.values(entry));
    };
    expect(await sunday('2024-10-27')).toEqual([[7, 2, 2]]);
    expect(await sunday('2024-03-31')).toEqual([
      [7, 1, 1],
      [7, 3, 1],
    ]);
  });
});

describe('ClickHouse reads a roll-up', () => {
  const plan = async (filters: AnalyticsFilters, ask: typeof store.totals | typeof store.topCities) => {
    const scope: Scope = { accountId: codes[0]!.accountId, mode: 'live', qrCodeId: codes[0]!.id, filters };
    const texts: string[] = [];
    const clickhouse: ClickHouse = {
      ...dataset.clickhouse,
      async query(query, params, options) {
        const rows = await dataset.clickhouse.query<{ explain: string }>(`explain ${query}`, params, options);
        texts.push(...rows.map(row => row.explain));
        return [];
      },
    };
    const days = parsePeriod({ start_date: '2024-05-01', end_date: '2024-05-30' }, new Date());
    await ask(contextOn(clickhouse), scope, days);
    return texts.join('\n');
  };

  test('where one has what the filter asks for, and rows where none has', async () => {
    expect(await plan({ device: 'ios' }, store.totals)).toContain('code_days');
    expect(await plan({ country: 'DE' }, store.topCities)).toContain('code_places');
    expect(await plan({ country: 'DE' }, store.totals)).not.toMatch(/code_(days|places|quarters)/);
    expect(await plan({ device: 'ios' }, store.topCities)).not.toMatch(/code_(days|places|quarters)/);
  });
});
