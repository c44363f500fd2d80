import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

/** A stand-in for ClickHouse: it does not answer until released, and then with an empty result. */
const held = new Set<ServerResponse>();
let isHolding = true;
const engine = createServer((message, response) => {
  message.resume();
  if (!isHolding) {
    response.end();
    return;
  }
  held.add(response);
  response.once('close', () => held.delete(response));
});

const [perAccount, room] = [2, 8];
let api: TestApi;
let port: number;
let account: TestAccount;

beforeAll(async () => {
  engine.listen(0, '127.0.0.1');
  await once(engine, 'listening');
  api = await createTestApi({
    CLICKHOUSE_URL: `http://127.0.0.1:${(engine.address() as AddressInfo).port}`,
    QUERIES_PER_ACCOUNT: String(perAccount),
    REDIS_TIMEOUT_MS: '5000',
  });
  await api.api.app.listen({ host: '127.0.0.1', port: 0 });
  port = (api.api.app.server.address() as AddressInfo).port;
});
beforeEach(async () => {
  isHolding = true;
  account = await api.account();
});
afterEach(answerAll);
afterAll(async () => {
  await api.close();
  engine.close();
});

function answerAll(): void {
  isHolding = false;
  for (const response of held) response.end();
}

const aggregate = (key: string) => api.call({ url: '/v1/analytics/aggregate', key });
const waiting = async () => {
  const text = await api.api.metrics.registry.getSingleMetricAsString('signpost_share_waiting');
  return Number(/kind="queries".* (\d+)$/m.exec(text)?.[1] ?? 0);
};

/** Uses the account's whole concurrency and fills its queue; in both modes, since they share them. */
async function crowd() {
  const calls = Array.from({ length: room + perAccount }, (_, n) =>
    aggregate(n % 2 ? account.live : account.test),
  );
  await waitUntil('the line is full', async () => (await waiting()) === room && held.size === perAccount);
  return calls;
}

describe('an account at its concurrency limit', () => {
  test('waits in its queue, is refused beyond it, and is answered once there is room', async () => {
    const calls = await crowd();
    const refused = await aggregate(account.test);
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(refused.headers['retry-after']).toBe('2');
    expect(refused.body.error.message).toBe(
      'Your account already has 2 analytics queries running. Wait for one to finish.',
    );
    for (const url of ['/v1/analytics/week-hours', '/v1/analytics/aggregate?country=DE&device=ios'])
      expect((await api.call({ url, key: account.live })).status).toBe(429);
    expect(held.size).toBe(perAccount);

    const other = await api.account();
    const others = aggregate(other.live);
    await waitUntil('the queries of the other account run', async () => held.size === 2 * perAccount);
    answerAll();
    expect((await others).status).toBe(200);
    const answers = await Promise.all(calls);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(room);
    expect(new Set(answers.map(({ status }) => status)).isSubsetOf(new Set([200, 429]))).toBe(true);
    expect((await aggregate(account.live)).status).toBe(200);
  });

  test('whose caller disconnects leaves the queue, and the query is cancelled', async () => {
    const headers = { authorization: `Bearer ${account.live}` };
    const call = () => {
      const sent = request({ port, path: '/v1/analytics/aggregate', headers, agent: false });
      sent.on('error', () => undefined).end();
      return sent;
    };
    const running = call();
    await waitUntil('ClickHouse gets the query', async () => held.size === perAccount);
    const lined = call();
    await waitUntil('the second waits', async () => (await waiting()) === 1);
    lined.destroy();
    await waitUntil('no request waits', async () => (await waiting()) === 0);
    running.destroy();
    await waitUntil('no query runs', async () => held.size === 0);
    answerAll();
    expect((await aggregate(account.live)).status).toBe(200);
  });
});
