import { startMigratedClickHouse } from '@signpost/testing/clickhouse.ts';
import { ask } from '@signpost/testing/client.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import type { TestServer } from '@signpost/testing/server.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands, compareFigures, type Real } from './commands.ts';
import { type Code, living, type Model } from './model.ts';

/** 50 runs by default; MODEL_RUNS=500 for the full test. */
const runs = Number(process.env.MODEL_RUNS ?? 50);
const lanes = 5;
const steps = 30;

let nats: Engine;
let clickhouse: Engine;
let fixture: Fixture;
let apis: TestServer[];
let edges: TestServer[];

beforeAll(async () => {
  const [started, stored] = await Promise.all([startNats(), startMigratedClickHouse()]);
  [nats, clickhouse] = [started, stored.engine];
  await stored.clickhouse.close();
  fixture = await createFixture({
    NATS_URL: nats.url,
    CLICKHOUSE_URL: clickhouse.url,
    TRUSTED_PROXIES: '127.0.0.1',
    UNKNOWN_CODES_PER_MINUTE: '100000000',
  });
  await fixture.plan('model', 1_000_000, null);
  apis = [await fixture.server(), await fixture.server()];
  edges = [await fixture.server({}, 'redirect'), await fixture.server({}, 'redirect')];
  await fixture.server({}, 'ingest');
});

afterAll(async () => {
  await fixture.close();
  await Promise.all([nats.remove(), clickhouse.remove()]);
});

test('three clients at once on two APIs and two edges: whatever they do, the service and the model agree', async () => {
  let executed = 0;
  const clients = fc.tuple(commands(steps), commands(steps), commands(steps));
  const property = fc.asyncProperty(clients, async ([first, second, third]) => {
    const [one, other] = await Promise.all([fixture.account('model'), fixture.account('model')]);
    const edgeUrls = edges.map(edge => edge.url);
    const reals: Real[] = [
      { apiUrl: apis[0]!.url, edgeUrls, key: one.live, strangersKey: other.live },
      // The same account on the other process, and another account at the same time.
      { apiUrl: apis[1]!.url, edgeUrls, key: one.live, strangersKey: one.test },
      { apiUrl: apis[1]!.url, edgeUrls, key: other.test, strangersKey: other.live },
    ];
    const models: Model[] = reals.map(() => ({ codes: [] }));
    await Promise.all(
      [first, second, third].map((steps, n) =>
        fc.asyncModelRun(() => ({ model: models[n]!, real: reals[n]! }), steps),
      ),
    );
    await compareAccount(reals[0]!, [...models[0]!.codes, ...models[1]!.codes]);
    await compareAccount(reals[2]!, models[2]!.codes);
    executed++;
  });
  const each = Math.ceil(runs / lanes);
  await Promise.all(
    Array.from({ length: lanes }, () => fc.assert(property, { numRuns: each, endOnFailure: true })),
  );
  console.log(`model runs ${executed} clients 3 steps ${steps} differences 0`);
  expect(executed).toBeGreaterThanOrEqual(runs);
}, 3_600_000);

/** The list and the aggregate of an account, after all scans are counted. */
async function compareAccount(real: Real, codes: readonly Code[]): Promise<void> {
  for (const code of codes) await compareFigures(code, real);
  const left = living(codes);
  const read = (path: string) => ask({ url: `${real.apiUrl}/v1${path}`, key: real.key });
  const list = await read('/qrcodes?limit=100');
  expect(list.body.pagination.total).toBe(left.length);
  expect(list.body.data.map((item: { id: string }) => item.id).sort()).toEqual(
    left.map(code => code.id).sort(),
  );
  const paused = await read('/qrcodes?status=paused&limit=100');
  expect(paused.body.pagination.total).toBe(left.filter(code => code.status === 'paused').length);
  const { summary, top_qr_codes: top } = (await read('/analytics/aggregate')).body;
  const scans = left.reduce((sum, code) => sum + code.scans.length, 0);
  expect(summary).toMatchObject({ total_scans: scans, qr_codes: left.length });
  expect(top).toHaveLength(Math.min(10, left.filter(code => code.scans.length > 0).length));
}
