import type { TestAccount } from '@signpost/testing/api.ts';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { ask } from '@signpost/testing/client.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { type Receiver, startReceiver } from '@signpost/testing/receiver.ts';
import type { TestServer } from '@signpost/testing/server.ts';
import { createSoloFixture } from '@signpost/testing/solo.ts';
import {
  type Calls,
  callerOf,
  createWebhookFixture,
  type WebhookFixture,
} from '@signpost/testing/webhook-fixture.ts';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../apps/server/src/platform/postgres/postgres.ts';

const placements = ['window', 'till', 'table-1'];
const countries = ['DE', 'FR', 'IT', 'JP', 'US'];
const days = 7;
/** One call for each placement, target, country and day: 210 calls. */
const calls = placements.length * 2 * countries.length * days;
const total = ciScale(10_000, 1_050);
const dayMs = 24 * 60 * 60_000;

let redis: Engine;
let fixture: WebhookFixture;
let api: TestServer;
let other: TestServer;
let receiver: Receiver;
let pro: TestAccount;
let sandbox: Calls;

beforeAll(async () => {
  redis = await startRedis();
  // No call may time out and be counted by its process alone.
  fixture = await createWebhookFixture({ env: { REDIS_URL: redis.url, REDIS_TIMEOUT_MS: '5000' } });
  [api, other] = [await fixture.server({}, 'api'), await fixture.server({}, 'api')];
  await fixture.server({}, 'ingest');
  await fixture.server({}, 'deliver');
  receiver = await startReceiver((_, response) => response.writeHead(204).end());
  pro = await fixture.account('pro');
  // The calls of this test are more than the plan allows in a minute.
  await setRate(pro.id, 100_000);
  sandbox = callerOf(api.url, pro.test);
});
afterAll(async () => {
  await receiver?.close();
  await fixture?.remove();
  await redis?.remove();
});

const setRate = (accountId: string, perMinute: number) =>
  fixture.db.query(sql('test-set-rate', 'update accounts set requests_per_minute = $2 where id = $1'), [
    accountId,
    perMinute,
  ]);

test('scans of a test are counted, analysed and delivered like real ones, to the last one', async () => {
  const { body: code } = await sandbox.post('/v1/qrcodes', {
    name: 'Menu',
    destination_url: 'https://example.com/',
  });
  for (const key of placements)
    expect((await sandbox.post(`/v1/qrcodes/${code.id}/placements`, { key, name: key })).status).toBe(201);
  const rules = [
    { name: 'Split', to: ['a', 'b'].map(name => ({ url: `https://${name}.example.com/`, label: name })) },
  ];
  const { body: ruled } = await sandbox.patch(`/v1/qrcodes/${code.id}`, { rules });
  const [{ id: rule_id, to: targets }] = ruled.rules;
  const { secret } = await sandbox.webhook(`${receiver.url}/scans`);

  const sent: {
    count: number;
    unique: number;
    at: string;
    country: string;
    placement: string;
    target: string;
  }[] = [];
  // One of these days is today, and the first is not quite seven days ago.
  const latest = Date.now();
  for (const placement of placements)
    for (const target of targets as readonly { id: string }[])
      for (const country of countries)
        for (let day = 0; day < days; day++) {
          const index = sent.length;
          const count = Math.floor(total / calls) + (index < total % calls ? 1 : 0);
          const unique = Math.max(1, Math.floor(count / 3));
          const at = new Date(latest - day * dayMs).toISOString();
          const body = {
            qr_id: code.id,
            count,
            unique,
            at,
            country,
            placement,
            rule_id,
            target_id: target.id,
            device: 'ios',
          };
          const { status, body: answer } = await sandbox.post('/v1/test/scans', body);
          expect([status, answer]).toEqual([200, { qr_id: code.id, scans: count, visitors: unique, at }]);
          sent.push({ count, unique, at, country, placement, target: target.id });
        }
  expect(sent).toHaveLength(calls);
  const sum = (some: typeof sent, field: 'count' | 'unique' = 'count') =>
    some.reduce((all, one) => all + one[field], 0);
  expect(sum(sent)).toBe(total);

  const read = async () => (await sandbox.get(`/v1/qrcodes/${code.id}`)).body;
  await waitUntil('all are counted', async () => (await read()).total_scans === total);
  expect((await read()).unique_scans).toBe(sum(sent, 'unique'));

  const period = `start_date=${new Date(latest - 6 * dayMs).toISOString().slice(0, 10)}`;
  const { body: summary } = await sandbox.get(`/v1/qrcodes/${code.id}/analytics?${period}`);
  expect(summary.summary).toMatchObject({ total_scans: total, unique_visitors: sum(sent, 'unique') });
  const byCountry = Object.fromEntries(
    summary.top_countries.map((row: { country: string; scans: number }) => [row.country, row.scans]),
  );
  expect(byCountry).toEqual(
    Object.fromEntries(countries.map(country => [country, sum(sent.filter(one => one.country === country))])),
  );
  expect(summary.devices).toMatchObject({ ios: total });
  for (const placement of placements) {
    const { body } = await sandbox.get(`/v1/qrcodes/${code.id}/analytics?${period}&placement=${placement}`);
    expect(body.summary.total_scans).toBe(sum(sent.filter(one => one.placement === placement)));
  }
  for (const { id } of targets as readonly { id: string }[]) {
    const { body } = await sandbox.get(`/v1/qrcodes/${code.id}/analytics?${period}&target_id=${id}`);
    expect(body.summary.total_scans).toBe(sum(sent.filter(one => one.target === id)));
  }
  const { body: series } = await sandbox.get(
    `/v1/qrcodes/${code.id}/analytics/timeseries?${period}&interval=day`,
  );
  for (const { date, total_scans } of series.data as readonly { date: string; total_scans: number }[])
    expect([date, total_scans]).toEqual([date, sum(sent.filter(one => one.at.startsWith(date)))]);

  const arrived = () =>
    new Map(receiver.arrivals.filter(({ path }) => path === '/scans').map(one => [one.id, one]));
  await waitUntil('all are delivered', () => arrived().size === total);
  const events = [...arrived().values()].map(
    ({ body, headers }) => new Webhook(secret).verify(body, headers as Record<string, string>) as ScanEvent,
  );
  expect(new Set(events.map(({ data }) => data.scan_id)).size).toBe(total);
  const tally = (rows: readonly string[]) =>
    Object.fromEntries(
      Map.groupBy(rows, row => row)
        .entries()
        .map(([row, { length }]) => [row, length]),
    );
  expect(tally(events.map(({ data, timestamp }) => `${data.country} ${timestamp}`))).toEqual(
    Object.fromEntries(
      Map.groupBy(sent, one => `${one.country} ${one.at}`)
        .entries()
        .map(([key, some]) => [key, sum(some)]),
    ),
  );
  expect(events.filter(({ data }) => data.is_unique)).toHaveLength(sum(sent, 'unique'));
});

type ScanEvent = {
  readonly timestamp: string;
  readonly data: { readonly scan_id: string; readonly country: string; readonly is_unique: boolean };
};

const newCode = async (caller: Calls, more: object = {}) =>
  (await caller.post('/v1/qrcodes', { name: 'Menu', destination_url: 'https://example.com/', ...more })).body;
const send = (on: TestServer, key: string, body: object, headers: Record<string, string> = {}) =>
  ask({ method: 'POST', url: `${on.url}/v1/test/scans`, key, body, headers });

test('a limit of scans is reached by test scans, and later ones are refused', async () => {
  const code = await newCode(sandbox, { max_scans: 5 });
  expect((await send(api, pro.test, { qr_id: code.id, count: 5 })).status).toBe(200);
  await waitUntil('it is used up', async () => {
    const { body } = await send(api, pro.test, { qr_id: code.id, automated: true });
    return body.error?.code === 'invalid_transition' && /limit of scans/.test(body.error.message);
  });
});

test('a live key is refused, and learns nothing about the code', async () => {
  const live = callerOf(api.url, pro.live);
  const code = await newCode(live);
  for (const qr_id of [code.id, 'qr_00000000000000000000000000']) {
    const { status, body } = await send(api, pro.live, { qr_id });
    expect([status, body.error.code]).toEqual([403, 'forbidden']);
    expect(body.error.message).toContain('sk_test_');
  }
  expect((await live.get(`/v1/qrcodes/${code.id}`)).body.total_scans).toBe(0);
});

test('what a real scan would not be is refused: a paused code, a foreign one, an unknown place, a time out of range', async () => {
  const code = await newCode(sandbox);
  const refusal = async (more: object) => {
    const { status, body } = await send(api, pro.test, { qr_id: code.id, ...more });
    return [status, body.error?.code, body.error?.param];
  };
  const foreign = await newCode(callerOf(api.url, (await fixture.account()).test));
  expect(await refusal({ qr_id: foreign.id })).toEqual([404, 'not_found', undefined]);
  expect(await refusal({ placement: 'roof' })).toEqual([400, 'invalid_request', 'placement']);
  expect(await refusal({ rule_id: 'rul_00000000000000000000000000' })).toEqual([
    400,
    'invalid_request',
    'rule_id',
  ]);
  expect(await refusal({ count: 3, unique: 4 })).toEqual([400, 'invalid_request', 'unique']);
  for (const at of [Date.now() + 60_000, Date.now() - 7 * dayMs - 60_000])
    expect(await refusal({ at: new Date(at).toISOString() })).toEqual([400, 'invalid_request', 'at']);
  await sandbox.patch(`/v1/qrcodes/${code.id}`, { active: false });
  expect(await refusal({})).toEqual([409, 'invalid_transition', undefined]);
});

test('a program that scans is not counted', async () => {
  const code = await newCode(sandbox);
  expect((await send(api, pro.test, { qr_id: code.id, count: 50, automated: true })).body).toMatchObject({
    scans: 0,
    visitors: 0,
  });
  await send(api, pro.test, { qr_id: code.id, count: 2, unique: 1 });
  const read = async () => (await sandbox.get(`/v1/qrcodes/${code.id}`)).body;
  await waitUntil('the two are counted', async () => (await read()).total_scans >= 2);
  expect(await read()).toMatchObject({ total_scans: 2, unique_scans: 1 });
});

test('a request that is repeated with its Idempotency-Key is counted once', async () => {
  const code = await newCode(sandbox);
  const headers = { 'idempotency-key': 'once' };
  const first = await send(api, pro.test, { qr_id: code.id, count: 7 }, headers);
  const again = await send(other, pro.test, { qr_id: code.id, count: 7 }, headers);
  expect(again.body).toEqual(first.body);
  await send(api, pro.test, { qr_id: code.id });
  const read = async () => (await sandbox.get(`/v1/qrcodes/${code.id}`)).body.total_scans;
  await waitUntil('all are counted', async () => (await read()) >= 8);
  expect(await read()).toBe(8);
});

test('the limit of a day holds over two processes, and scans that are refused do not count', async () => {
  const free = await fixture.account('free');
  await setRate(free.id, 100_000);
  const code = await newCode(callerOf(api.url, free.test));
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      send(index % 2 ? api : other, free.test, { qr_id: code.id, count: 900 }),
    ),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(16 - 11);
  for (const { status, body } of refused) {
    expect([status, body.error.code]).toEqual([403, 'quota_exceeded']);
    expect(body.error).toMatchObject({ limit: 10_000, used: 9_900 });
    expect(Date.parse(body.error.resets_at)).toBeGreaterThan(Date.now() + dayMs - 600_000);
  }
  expect((await send(api, free.test, { qr_id: code.id, count: 101 })).status).toBe(403);
  expect((await send(other, free.test, { qr_id: code.id, count: 100 })).status).toBe(200);
  expect((await send(api, free.test, { qr_id: code.id })).status).toBe(403);
});

test('on the free plan a test webhook gets 1,000 messages per day, and the deliveries say what was not queued', async () => {
  const free = await fixture.account('free');
  await setRate(free.id, 100_000);
  const caller = callerOf(api.url, free.test);
  const code = await newCode(caller);
  const { id } = await caller.webhook(`${receiver.url}/free`);
  const limit = async () => (await caller.get(`/v1/webhooks/${id}/deliveries`)).body.test_limit;
  await send(api, free.test, { qr_id: code.id, count: 990 });
  await waitUntil('they are queued', async () => (await limit()).used === 990);
  await send(other, free.test, { qr_id: code.id, count: 25 });
  await waitUntil('some are not', async () => (await limit()).not_queued === 15);
  expect(await limit()).toMatchObject({ per_day: 1000, used: 1000 });
  const arrived = () =>
    new Set(receiver.arrivals.filter(({ path }) => path === '/free').map(one => one.id)).size;
  await waitUntil('a thousand arrive', () => arrived() === 1000);
  expect((await caller.post(`/v1/webhooks/${id}/test`)).body.error.code).toBe('quota_exceeded');
  // They count as scans all the same.
  const read = async () => (await caller.get(`/v1/qrcodes/${code.id}`)).body.total_scans;
  await waitUntil('all are counted', async () => (await read()) === 1015);
  // Live webhooks stay on paid plans.
  expect(
    (await callerOf(api.url, free.live).post('/v1/webhooks', { url: receiver.url })).body.error.code,
  ).toBe('plan_required');
  expect(arrived()).toBe(1000);
});

test('without an acknowledgement of the log the answer is 503, and the scans do not count against the day', async () => {
  const free = await fixture.account('free');
  await setRate(free.id, 100_000);
  const code = await newCode(callerOf(api.url, free.test));
  await fixture.nats.stop();
  const { status, body, headers } = await send(api, free.test, { qr_id: code.id, count: 1000 });
  expect([status, body.error.code, headers['retry-after']]).toEqual([503, 'unavailable', '2']);
  await fixture.nats.start();
  await waitUntil(
    'the log is there again',
    async () => (await send(api, free.test, { qr_id: code.id, count: 1000 })).status === 200,
  );
  for (let call = 0; call < 9; call++)
    expect((await send(other, free.test, { qr_id: code.id, count: 1000 })).status).toBe(200);
  expect((await send(other, free.test, { qr_id: code.id })).status).toBe(403);
});

describe('signpost solo', () => {
  test('test scans go to the log on its disk, and are counted', async () => {
    const solo = await createSoloFixture();
    try {
      const server = await solo.fixture.server({}, 'solo');
      const account = await solo.fixture.account();
      const caller = callerOf(server.url, account.test);
      const code = await newCode(caller);
      expect((await send(server, account.test, { qr_id: code.id, count: 100, unique: 30 })).status).toBe(200);
      const read = async () => (await caller.get(`/v1/qrcodes/${code.id}`)).body;
      await waitUntil('they are counted', async () => (await read()).total_scans === 100);
      expect((await read()).unique_scans).toBe(30);
    } finally {
      await solo.close();
    }
  });
});
