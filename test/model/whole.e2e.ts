import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../tools/engines/engine.ts';
import { startNats } from '../../tools/engines/nats.ts';
import { startMigratedClickHouse } from '../support/clickhouse.ts';
import { ask } from '../support/client.ts';
import type { TestServer } from '../support/server.ts';
import { createWorld, type World } from '../support/world.ts';
import { commands, compareFigures, type Real } from './commands.ts';
import { type Code, living, type Model } from './model.ts';

/** 50 runs by default; MODEL_RUNS=500 for the whole proof. */
const runs = Number(process.env.MODEL_RUNS ?? 50);
const lanes = 5;
const steps = 30;

let nats: Engine;
let clickhouse: Engine;
let world: World;
let apis: TestServer[];
let edges: TestServer[];

beforeAll(async () => {
  const [started, stored] = await Promise.all([startNats(), startMigratedClickHouse()]);
  [nats, clickhouse] = [started, stored.engine];
  await stored.clickhouse.close();
  world = await createWorld({
    NATS_URL: nats.url,
    CLICKHOUSE_URL: clickhouse.url,
    TRUSTED_PROXIES: '127.0.0.1',
    MISSES_PER_MINUTE: '100000000',
  });
  await world.plan('model', 1_000_000, null);
  apis = [await world.server(), await world.server()];
  edges = [await world.server({}, 'redirect'), await world.server({}, 'redirect')];
  await world.server({}, 'ingest');
});

afterAll(async () => {
  await world.close();
  await Promise.all([nats.remove(), clickhouse.remove()]);
});

test('three clients at once on two APIs and two edges: whatever they do, the service and the model agree', async () => {
  let executed = 0;
  const clients = fc.tuple(commands(steps), commands(steps), commands(steps));
  const property = fc.asyncProperty(clients, async ([first, second, third]) => {
    const [one, other] = await Promise.all([world.account('model'), world.account('model')]);
    const edgeUrls = edges.map(edge => edge.url);
    const reals: Real[] = [
      { apiUrl: apis[0]!.url, edgeUrls, key: one.live, strangersKey: other.live },
      // The same account on the other process, and the parallel world of another.
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

/** The list and the aggregate of an account, after all is quiet. */
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
