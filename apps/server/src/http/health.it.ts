import { type AddressInfo, connect } from 'node:net';
import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import { ask } from '@signpost/testing/client.ts';
import { freePort } from '@signpost/testing/engines/free-port.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPrivateServer } from '../platform/private-server.ts';

let api: TestApi;
let port: number;
let looks = 0;

beforeAll(async () => {
  api = await createTestApi({ CLICKHOUSE_URL: 'http://127.0.0.1:9' });
  api.api.readiness.add({ name: 'counter', needed: false, check: async () => void looks++ });
  await api.api.app.listen({ host: '127.0.0.1', port: 0 });
  port = (api.api.app.server.address() as AddressInfo).port;
});
afterAll(() => api.close());

/** Sends so many requests at once on one connection; how many were answered with each status. */
async function pipeline(path: string, count: number): Promise<Record<string, number>> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  const last = 'GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n';
  socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`.repeat(count) + last);
  let text = '';
  for await (const chunk of socket) text += chunk;
  const statuses: Record<string, number> = {};
  for (const [, status] of text.matchAll(/HTTP\/1\.1 (\d+) /g))
    statuses[status!] = (statuses[status!] ?? 0) + 1;
  return statuses;
}

test('10,000 questions whether it is ready, sent at once, cost one look at the engines a second', async () => {
  const start = performance.now();
  expect(await pipeline('/readyz', 10_000)).toEqual({ 200: 10_001 });
  const seconds = (performance.now() - start) / 1000;
  expect(looks).toBeGreaterThan(0);
  expect(looks).toBeLessThanOrEqual(1 + seconds);
});

test('the world learns whether it is ready, the private port also what is away', async () => {
  const { readiness } = api.api;
  readiness.add({ name: 'absent', needed: false, check: () => Promise.reject(new Error('away')) });
  const privatePort = await freePort();
  const server = await startPrivateServer({
    // biome-ignore lint/suspicious/noExplicitAny: nobody asks it for metrics here
    registry: {} as any,
    readiness,
    host: '127.0.0.1',
    port: privatePort,
    onError: () => {},
  });
  const told = async (path: string) => {
    const { status, body } = await ask({ url: `http://127.0.0.1:${privatePort}${path}` });
    return { status, body };
  };
  await expect
    .poll(() => told('/readyz'), { timeout: 5000 })
    .toEqual({
      status: 200,
      body: {
        status: 'ready',
        postgres: 'ok',
        redis: 'ok',
        nats: 'ok',
        clickhouse: 'away',
        counter: 'ok',
        absent: 'away',
      },
    });
  const { status, body } = await api.call({ url: '/readyz' });
  expect([status, body]).toEqual([200, { status: 'ready' }]);
  expect((await told('/healthz')).status).toBe(200);
  const posted = await ask({ method: 'POST', url: `http://127.0.0.1:${privatePort}/readyz`, body: {} });
  expect([posted.status, posted.body]).toEqual([405, '']);
  readiness.stop();
  expect(await told('/readyz')).toMatchObject({ status: 503, body: { status: 'stopping' } });
  expect((await api.call({ url: '/readyz' })).status).toBe(503);
  await server.close();
});
