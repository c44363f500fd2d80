import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitUntil } from '../../tools/engines/wait.ts';
import { scanOf } from '../support/scan-ledger.ts';
import { createScene, type Scene, type SceneCode } from './scene.ts';

let scene: Scene;
let key: string;
let code: SceneCode;

beforeAll(async () => {
  scene = await createScene({ ANALYTICS_TIMEOUT_MS: '1000' });
  const account = await scene.account(2);
  key = account.key;
  code = account.codes[0]!;
  await scene.store(Array.from({ length: 20 }, (_, n) => scanOf(code, n)));
});
afterAll(() => scene.close());

const urls = () => [
  `/v1/qrcodes/${code.wireId}/analytics`,
  `/v1/analytics/qrcodes/${code.wireId}`,
  `/v1/qrcodes/${code.wireId}/analytics/scans`,
  `/v1/qrcodes/${code.wireId}/analytics/timeseries`,
  `/v1/qrcodes/${code.wireId}/analytics/export`,
  `/v1/qrcodes/${code.wireId}/analytics/export?format=json`,
  '/v1/analytics/aggregate',
];

describe('ClickHouse is slow', () => {
  /** Every row of `scans` takes a while. */
  beforeAll(async () => {
    await scene.clickhouse.command('rename table scans to kept');
    await scene.clickhouse.command(
      `create view scans as select * from kept where sleepEachRow(0.14) = 0 settings function_sleep_max_microseconds_per_block = 0`,
    );
  });
  afterAll(async () => {
    await scene.clickhouse.command('drop view scans');
    await scene.clickhouse.command('rename table kept to scans');
  });

  test('the answer is 504 timeout in the usual form, and ClickHouse works on it no longer', async () => {
    const start = performance.now();
    const reply = await scene.api.call({ url: urls()[0]!, key });
    expect(reply.status).toBe(504);
    expect(reply.body.error).toMatchObject({ code: 'timeout', request_id: reply.headers['x-request-id'] });
    expect(performance.now() - start).toBeLessThan(3_000);
    await waitUntil('no question is being worked on', async () => {
      const rows = await scene.clickhouse.query(
        `select query from system.processes where query ilike '%from scans%' and query not ilike '%system.processes%'`,
      );
      return rows.length === 0;
    });
  });
});

describe('ClickHouse is away', () => {
  beforeAll(() => scene.engine.stop());
  afterAll(() => scene.engine.start());

  test('every question of analytics is answered with 503 unavailable within a second', async () => {
    for (const url of urls()) {
      const start = performance.now();
      const reply = await scene.api.call({ url, key });
      expect(performance.now() - start, url).toBeLessThan(1_000);
      expect([reply.status, reply.body.error.code], url).toEqual([503, 'unavailable']);
      expect(reply.headers['retry-after']).toBe('1');
      expect(reply.headers).not.toHaveProperty('content-disposition');
    }
  });

  test('a code that is not the caller’s is still not found, and a wrong period still refused', async () => {
    const { key: stranger } = await scene.account(1);
    for (const url of urls().slice(0, -1)) {
      expect((await scene.api.call({ url, key: stranger })).status, url).toBe(404);
      const wrong = await scene.api.call({ url: `${url.split('?')[0]}?end_date=2025-02-29`, key });
      expect([wrong.status, wrong.body.error.param], url).toEqual([400, 'end_date']);
    }
  });

  test('everything else works', async () => {
    const create = { name: 'New', destination_url: 'https://example.com' };
    const made = await scene.api.call({ method: 'POST', url: '/v1/qrcodes', key, body: create });
    expect(made.status).toBe(201);
    const url = `/v1/qrcodes/${made.body.id}`;
    expect((await scene.api.call({ method: 'PATCH', url, key, body: { name: 'x' } })).status).toBe(200);
    expect((await scene.api.call({ url: `${url}/download`, key })).status).toBe(200);
    expect((await scene.api.call({ method: 'DELETE', url, key })).status).toBe(200);
    expect((await scene.api.call({ url: '/v1/qrcodes', key })).status).toBe(200);
    expect((await scene.api.call({ url: '/readyz' })).body).toEqual({ status: 'ready' });
    expect((await scene.api.api.readiness.report()).parts).toMatchObject({ clickhouse: 'away' });
  });
});

describe('ClickHouse is back', () => {
  test('analytics answer again without a restart', async () => {
    for (const url of urls()) expect((await scene.api.call({ url, key })).status, url).toBe(200);
  });
});
