import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApi, type TestAccount, type TestApi } from '../../../../test/support/api.ts';
import { ids } from '../../../../test/support/scans.ts';
import { waitUntil } from '../../../../tools/engines/wait.ts';
import { formatId } from '../kernel/ids.ts';

/** Stands in for ClickHouse: it answers nothing until it is told to, and then that there is nothing. */
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
    QUESTIONS_PER_ACCOUNT: String(perAccount),
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
  return Number(/kind="questions".* (\d+)$/m.exec(text)?.[1] ?? 0);
};

/** Takes all places of the account and fills its line; in both modes, since they share. */
async function crowd() {
  const calls = Array.from({ length: room + perAccount }, (_, n) =>
    aggregate(n % 2 ? account.live : account.test),
  );
  await waitUntil('the line is full', async () => (await waiting()) === room && held.size === perAccount);
  return calls;
}

describe('an account whose places are all taken', () => {
  test('waits in its line, is refused over it, and is answered once there is room', async () => {
    const calls = await crowd();
    const refused = await aggregate(account.test);
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(refused.headers['retry-after']).toBe('2');
    expect(refused.body.error.message).toBe(
      'Your account already has 2 analytics queries running. Wait for one to finish.',
    );
    expect(held.size).toBe(perAccount);

    const other = await api.account();
    const others = aggregate(other.live);
    await waitUntil('the other account is asked about', async () => held.size === 2 * perAccount);
    answerAll();
    expect((await others).status).toBe(200);
    const answers = await Promise.all(calls);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(room);
    expect(new Set(answers.map(({ status }) => status)).isSubsetOf(new Set([200, 429]))).toBe(true);
    expect((await aggregate(account.live)).status).toBe(200);
  });

  test('whose caller hangs up leaves the line, and the query ends', async () => {
    const headers = { authorization: `Bearer ${account.live}` };
    const call = () => {
      const sent = request({ port, path: '/v1/analytics/aggregate', headers, agent: false });
      sent.on('error', () => undefined).end();
      return sent;
    };
    const running = call();
    await waitUntil('ClickHouse is asked', async () => held.size === perAccount);
    const lined = call();
    await waitUntil('the second waits', async () => (await waiting()) === 1);
    lined.destroy();
    await waitUntil('nobody waits', async () => (await waiting()) === 0);
    running.destroy();
    await waitUntil('nothing is asked', async () => held.size === 0);
    answerAll();
    expect((await aggregate(account.live)).status).toBe(200);
  });

  test('is not refused for a day by its idempotency key', async () => {
    const calls = await crowd();
    const url = `/v1/webhooks/deliveries/${formatId('msg', ids.next())}/replay`;
    const replay = () =>
      api.call({ method: 'POST', url, key: account.live, headers: { 'idempotency-key': 'again' } });
    expect((await replay()).status).toBe(429);
    answerAll();
    await Promise.all(calls);
    expect((await replay()).status).toBe(404);
  });
});
