import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

let api: TestApi;
let holder: pg.Client;

beforeAll(async () => {
  api = await createTestApi({ DATABASE_POOL_SIZE: '1', DATABASE_TIMEOUT_MS: '60000' });
  holder = new pg.Client({ connectionString: api.config.databaseDirectUrl });
  await holder.connect();
});
afterAll(async () => {
  await holder?.end();
  await api?.close();
});

async function told(name: string): Promise<number> {
  const lines = (await api.metrics()).split('\n');
  const line = lines.find(one => one.startsWith(`${name}{`) && one.includes('pool="api"'));
  return Number(line?.split(' ').at(-1) ?? Number.NaN);
}

const waiting = () => told('signpost_database_pool_waiting');

test('calls that wait for a connection show in the metrics while they wait, above the limit of the alert, and no longer', async () => {
  const { live: key } = await api.account();
  expect(await waiting()).toBe(0);
  // The list of an account without codes needs no query. The key is cached from here on, too: calls that look it up at the
  // same time share one wait.
  const body = { name: 'x', destination_url: 'https://example.com' };
  expect(await api.call({ method: 'POST', url: '/v1/qrcodes', key, body })).toMatchObject({ status: 201 });
  await holder.query('begin');
  await holder.query('lock table qr_codes in access exclusive mode');
  const before = await told('signpost_database_pool_wait_seconds_sum');
  const calls = Array.from({ length: 5 }, () => api.call({ url: '/v1/qrcodes', key }));
  await waitUntil('four wait for the connection of the fifth', async () => (await waiting()) > 1);
  await holder.query('commit');
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  await waitUntil('nobody waits', async () => (await waiting()) === 0);
  expect(await told('signpost_database_pool_wait_seconds_sum')).toBeGreaterThan(before);
});

test('a call that finds an idle connection has not waited', async () => {
  const { live: key } = await api.account();
  const counted = () => told('signpost_database_pool_wait_seconds_count');
  const before = await counted();
  for (let n = 0; n < 5; n++) await api.call({ url: '/v1/qrcodes', key });
  // Background jobs of the API use connections too, sometimes at the same time.
  expect((await counted()) - before).toBeLessThanOrEqual(2);
});
