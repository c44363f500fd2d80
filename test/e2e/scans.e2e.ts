import type { TestAccount } from '@signpost/testing/api.ts';
import { ask, inParallel } from '@signpost/testing/client.ts';
import { startClickHouse } from '@signpost/testing/engines/clickhouse.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { runCommand, type TestServer } from '@signpost/testing/server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let engines: { nats: Engine; redis: Engine; clickhouse: Engine };
let world: Fixture;
let api: TestServer;
let edges: TestServer[];
let owner: TestAccount;

beforeAll(async () => {
  const [nats, redis, clickhouse] = await Promise.all([startNats(), startRedis(), startClickHouse()]);
  engines = { nats, redis, clickhouse };
  world = await createFixture({ NATS_URL: nats.url, REDIS_URL: redis.url, CLICKHOUSE_URL: clickhouse.url });
  expect((await runCommand(['migrate'], world.env)).output).toContain('to ClickHouse');
  api = await world.server();
  edges = [await world.server({}, 'redirect'), await world.server({}, 'redirect')];
  await world.server({}, 'ingest');
  owner = await world.account();
});
afterAll(async () => {
  await world?.close();
  for (const engine of Object.values(engines ?? {})) await engine.remove();
});

async function create(more: object = {}, key = owner.live) {
  const body = { name: 'Menu', destination_url: 'https://example.com/menu', ...more };
  return (await ask({ method: 'POST', url: `${api.url}/v1/qrcodes`, key, body })).body;
}
const counts = async (id: string, key = owner.live) => {
  const { body } = await ask({ url: `${api.url}/v1/qrcodes/${id}`, key });
  return [body.total_scans, body.unique_scans];
};
const phone = (n: number) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS 18_${n} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1`;
const scan = (
  code: string,
  index: number,
  agent = phone(0),
  headers: Record<string, string> = {},
  method = 'GET',
) => ask({ method, url: `${edges[index % 2]!.url}/${code}`, headers: { 'user-agent': agent, ...headers } });

describe('scans, from the phone to the counts', () => {
  test('every scan is counted once, and a visitor is unique once', async () => {
    const code = await create();
    const answers = await inParallel(300, 20, index => scan(code.short_code, index, phone(index % 7)));
    expect(answers.every(answer => answer.status === 302)).toBe(true);
    await waitUntil('all are counted', async () => (await counts(code.id))[0] === 300);
    expect(await counts(code.id)).toEqual([300, 7]);
    const listed = await ask({ url: `${api.url}/v1/qrcodes`, key: owner.live });
    expect(listed.body.data[0]).toMatchObject({ id: code.id, total_scans: 300 });
  });

  test('200 parallel scans by one visitor are exactly one unique', async () => {
    const code = await create();
    await inParallel(200, 50, index => scan(code.short_code, index));
    await waitUntil('all are counted', async () => (await counts(code.id))[0] === 200);
    expect(await counts(code.id)).toEqual([200, 1]);
  });

  test('a request that is no scan is redirected and not counted', async () => {
    const code = await create();
    for (const [headers, method] of [
      [{}, 'HEAD'],
      [{ 'sec-purpose': 'prefetch' }, 'GET'],
      [{ 'sec-fetch-dest': 'image' }, 'GET'],
      [{ 'user-agent': 'facebookexternalhit/1.1' }, 'GET'],
    ] as const) {
      expect((await scan(code.short_code, 0, phone(0), headers, method)).status).toBe(302);
    }
    await scan(code.short_code, 1);
    await waitUntil('the one scan is counted', async () => (await counts(code.id))[0] > 0);
    expect(await counts(code.id)).toEqual([1, 1]);
  });

  test('scans of the same name are counted for the account and mode of the short link', async () => {
    const other = await world.account();
    const keys = [owner.live, owner.test, other.test];
    const codes = await Promise.all(keys.map(key => create({ short_code: 'same-name' }, key)));
    const paths = codes.map(({ short_url }) => new URL(short_url).pathname.slice(1));
    for (const [n, path] of paths.entries())
      await inParallel(10 * (n + 1), 5, async index => expect((await scan(path, index)).status).toBe(302));
    const all = () => Promise.all(codes.map(({ id }, n) => counts(id, keys[n])));
    await waitUntil('all are counted', async () =>
      (await all()).every(([total], n) => total === 10 * (n + 1)),
    );
    // ClickHouse stores them a moment after PostgreSQL has counted them.
    const totals = () =>
      Promise.all(
        keys.map(
          async key =>
            (await ask({ url: `${api.url}/v1/analytics/aggregate`, key })).body.summary.total_scans,
        ),
      );
    await waitUntil('all are stored', async () => {
      const [, second, third] = await totals();
      return second === 20 && third === 30;
    });
  });

  test('the scans of a deleted code are erased from every store', async () => {
    const code = await create();
    await inParallel(50, 10, index => scan(code.short_code, index));
    await waitUntil('all are counted', async () => (await counts(code.id))[0] === 50);
    await ask({ method: 'DELETE', url: `${api.url}/v1/qrcodes/${code.id}`, key: owner.live });
    const { createClickHouse } = await import('../../apps/server/src/platform/clickhouse/clickhouse.ts');
    const { parseId } = await import('../../apps/server/src/kernel/ids.ts');
    const id = parseId('qr', code.id);
    const clickhouse = await createClickHouse(engines.clickhouse.url);
    const left = async () => {
      const [rows] = await clickhouse.query<{ n: number }>(
        'select count() as n from scans where qr_code_id = {id: UUID}',
        { id },
      );
      const stored = await world.db.query(
        {
          name: 'left-of-scans',
          text: `select 1 from visitors where qr_code_id = $1 union all select 1 from scan_counts where qr_code_id = $1`,
        },
        [id],
      );
      return Number(rows?.n) + stored.length;
    };
    await waitUntil('nothing is left', async () => (await left()) === 0);
    await clickhouse.close();
  });

  test('scans made while the log and the databases are down are spooled and counted when they are back', async () => {
    const code = await create();
    await inParallel(20, 5, index => scan(code.short_code, index, phone(1)));
    await waitUntil('the first are counted', async () => (await counts(code.id))[0] === 20);
    await Promise.all([
      engines.nats.kill('SIGKILL'),
      engines.redis.kill('SIGKILL'),
      engines.clickhouse.kill('SIGKILL'),
    ]);
    const answers = await inParallel(100, 10, index => scan(code.short_code, index, phone(2)));
    expect(answers.every(answer => answer.status === 302)).toBe(true);
    await edges[1]!.end('SIGKILL');
    await Promise.all([engines.nats.start(), engines.redis.start(), engines.clickhouse.start()]);
    await edges[1]!.start();
    await waitUntil('all are counted', async () => (await counts(code.id))[0] === 120);
    expect(await counts(code.id)).toEqual([120, 2]);
  });
});

test('one process runs every role, with the scans in PostgreSQL', async () => {
  const small = await createFixture({
    NATS_URL: engines.nats.url,
    REDIS_URL: `${engines.redis.url}/2`,
    CLICKHOUSE_URL: '',
    SCAN_SHARDS: '2',
  });
  await runCommand(['migrate'], small.env);
  const all = await small.server({}, 'all');
  const { live: key } = await small.account();
  const made = await ask({
    method: 'POST',
    url: `${all.url}/v1/qrcodes`,
    key,
    body: { name: 'x', destination_url: 'https://example.com' },
  });
  expect((await ask({ url: `${all.url}/${made.body.short_code}` })).status).toBe(302);
  await waitUntil('the scan is counted', async () => {
    const { body } = await ask({ url: `${all.url}/v1/qrcodes/${made.body.id}`, key });
    return body.total_scans === 1 && body.unique_scans === 1;
  });
  await small.close();
});
