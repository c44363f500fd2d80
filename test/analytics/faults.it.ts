import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { scanOf } from '@signpost/testing/scan-ledger.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDataset, type Dataset, type DatasetCode } from './dataset.ts';

let dataset: Dataset;
let key: string;
let code: DatasetCode;

beforeAll(async () => {
  dataset = await createDataset({ ANALYTICS_TIMEOUT_MS: '1000' });
  const account = await dataset.account(2);
  key = account.key;
  code = account.codes[0]!;
  await dataset.add(Array.from({ length: 20 }, (_, n) => scanOf(code, n)));
});
afterAll(() => dataset.close());

const urls = () => [
  `/v1/qrcodes/${code.wireId}/analytics`,
  `/v1/analytics/qrcodes/${code.wireId}`,
  `/v1/qrcodes/${code.wireId}/analytics/scans`,
  `/v1/qrcodes/${code.wireId}/analytics/timeseries`,
  `/v1/qrcodes/${code.wireId}/analytics/export`,
  `/v1/qrcodes/${code.wireId}/analytics/export?format=json`,
  `/v1/qrcodes/${code.wireId}/analytics/week-hours`,
  '/v1/analytics/aggregate',
  '/v1/analytics/aggregate?country=DE&device=ios',
  '/v1/analytics/week-hours',
];

describe('ClickHouse is slow', () => {
  /** Every row of `scans` is slow. */
  beforeAll(async () => {
    await dataset.clickhouse.command('rename table scans to kept');
    await dataset.clickhouse.command(
      `create view scans as select * from kept where sleepEachRow(0.14) = 0 settings function_sleep_max_microseconds_per_block = 0`,
    );
  });
  afterAll(async () => {
    await dataset.clickhouse.command('drop view scans');
    await dataset.clickhouse.command('rename table kept to scans');
  });

  test('the response is 504 timeout in the usual form, and ClickHouse stops the query', async () => {
    const start = performance.now();
    const reply = await dataset.api.call({ url: urls()[0]!, key });
    expect(reply.status).toBe(504);
    expect(reply.body.error).toMatchObject({ code: 'timeout', request_id: reply.headers['x-request-id'] });
    expect(performance.now() - start).toBeLessThan(3_000);
    await waitUntil('no question is being worked on', async () => {
      const rows = await dataset.clickhouse.query(
        `select query from system.processes where query ilike '%from scans%' and query not ilike '%system.processes%'`,
      );
      return rows.length === 0;
    });
  });
});

describe('ClickHouse is down', () => {
  beforeAll(() => dataset.engine.stop());
  afterAll(() => dataset.engine.start());

  test('every analytics request is answered with 503 unavailable within a second', async () => {
    for (const url of urls()) {
      const start = performance.now();
      const reply = await dataset.api.call({ url, key });
      expect(performance.now() - start, url).toBeLessThan(1_000);
      expect([reply.status, reply.body.error.code], url).toEqual([503, 'unavailable']);
      expect(reply.headers['retry-after']).toBe('1');
      expect(reply.headers).not.toHaveProperty('content-disposition');
    }
  });

  test('a code that is not the caller’s is still not found, and a wrong period still refused', async () => {
    const { key: stranger } = await dataset.account(1);
    for (const url of urls().filter(one => one.includes(code.wireId))) {
      expect((await dataset.api.call({ url, key: stranger })).status, url).toBe(404);
      const wrong = await dataset.api.call({ url: `${url.split('?')[0]}?end_date=2025-02-29`, key });
      expect([wrong.status, wrong.body.error.param], url).toEqual([400, 'end_date']);
    }
  });

  test('everything else works', async () => {
    const create = { name: 'New', destination_url: 'https://example.com' };
    const made = await dataset.api.call({ method: 'POST', url: '/v1/qrcodes', key, body: create });
    expect(made.status).toBe(201);
    const url = `/v1/qrcodes/${made.body.id}`;
    expect((await dataset.api.call({ method: 'PATCH', url, key, body: { name: 'x' } })).status).toBe(200);
    expect((await dataset.api.call({ url: `${url}/download`, key })).status).toBe(200);
    expect((await dataset.api.call({ method: 'DELETE', url, key })).status).toBe(200);
    expect((await dataset.api.call({ url: '/v1/qrcodes', key })).status).toBe(200);
    expect((await dataset.api.call({ url: '/readyz' })).body).toEqual({ status: 'ready' });
    expect((await dataset.api.api.readiness.report()).parts).toMatchObject({ clickhouse: 'away' });
  });
});

describe('ClickHouse is back', () => {
  test('analytics work again without a restart', async () => {
    for (const url of urls()) expect((await dataset.api.call({ url, key })).status, url).toBe(200);
  });
});
