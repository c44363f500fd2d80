import { randomBytes, randomUUID } from 'node:crypto';
import { createTestDatabase, redisUrl } from '@signpost/testing/database.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { startNameServer } from '@signpost/testing/name-server.ts';
import { type AnswerWith, type Receiver, startReceiver } from '@signpost/testing/receiver.ts';
import { addCodes } from '@signpost/testing/scan-ledger.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Caller, goodStanding, type Mode } from '../../kernel/caller.ts';
import { systemClock } from '../../kernel/clock.ts';
import { createIds, type Uuid } from '../../kernel/ids.ts';
import { createPostgres, type Postgres, sql } from '../../platform/postgres/postgres.ts';
import { createRedis, type RedisClient } from '../../platform/redis/redis.ts';
import { createAddressGuard } from '../address-guard.ts';
import { unattempted } from '../deliveries.ts';
import * as messageStore from '../message-store.ts';
import { createHostResolver, type HostResolver } from '../resolver.ts';
import { createSecretCipher } from '../secret.ts';
import { createWebhooks } from '../service.ts';
import * as store from '../store.ts';
import type { Delivery, Message } from '../webhook.ts';
import { createSender, type Sender } from './attempts/sender.ts';
import { releaseProven } from './background-jobs.ts';
import { Dispatcher } from './dispatcher.ts';
import { createHostRateLimiter } from './rates/host-rate-limiter.ts';
import { type RateLimits, rateLimitsFor } from './rates/rate-reservation.ts';

const ids = createIds(systemClock);
const cipher = createSecretCipher([randomBytes(32)]);
const resolver = createHostResolver(createAddressGuard(['127.0.0.0/8']));
const webhooks = createWebhooks({ ids, clock: systemClock, resolver, cipher, limit: 100 });
const noCounters = {
  attempted() {},
  firstAttempt() {},
  deferred() {},
  rateWait() {},
  disabled() {},
  inFlight() {},
};
const logger = { info() {}, warn: console.warn, error: console.error };

let db: Postgres;
let redis: RedisClient;
let sender: Sender;
let receiver: Receiver;
let answer: AnswerWith;
let accountId: Uuid;
let dispatcher: Dispatcher | undefined;
let throttled: string[];

beforeAll(async () => {
  const databaseUrl = await createTestDatabase();
  db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 6, databaseTimeoutMs: 5_000 },
    () => undefined,
  );
  redis = createRedis({ redisUrl, redisTimeoutMs: 5_000 }, () => undefined, { queueOffline: true });
  sender = createSender({ resolver, clock: systemClock });
  receiver = await startReceiver((arrival, response) => answer(arrival, response));
});
afterAll(async () => {
  await receiver.close();
  await sender.close();
  redis.disconnect();
  await db.close();
});
beforeEach(async () => {
  // Limits count by account: each test has one of its own.
  accountId = (await addCodes(db, 1))[0]!.accountId;
  throttled = [];
  receiver.arrivals.length = 0;
});
afterEach(async () => {
  await dispatcher?.stop(2_000);
});

const status =
  (code: number): AnswerWith =>
  (_arrival, response) =>
    void response.writeHead(code).end();

function start(limits: RateLimits, usedSender = sender): void {
  const counters = { ...noCounters, throttled: (reason: string) => void throttled.push(reason) };
  const rateLimiter = createHostRateLimiter({ redis, limits, onShared: () => undefined });
  const queue = { async *read() {} };
  const parts = {
    db,
    queue,
    sender: usedSender,
    rateLimiter,
    cipher,
    clock: systemClock,
    logger,
    counters,
  };
  dispatcher = new Dispatcher({ ...parts, concurrency: 100, pollEveryMs: 20 });
  dispatcher.start();
}

const caller = (mode: Mode = 'live') =>
  ({
    ...goodStanding,
    accountId,
    mode,
    plan: { webhooks: true },
    via: { kind: 'key', id: accountId },
  }) as unknown as Caller;

const addWebhook = async (path = '/', mode: Mode = 'live'): Promise<Uuid> =>
  (
    await webhooks.create(db, caller(mode), {
      url: `${receiver.url}${path}`,
      description: '',
      events: ['scan.created'],
      includeCodeDetails: false,
      qrIds: null,
      tags: null,
      enabled: true,
    })
  ).webhook.id;

const provenAtOf = async (id: Uuid) => (await store.loadEndpoints(db, [id])).get(id)!.provenAt;
const prove = (id: Uuid) =>
  db.query(sql('test-prove', 'update webhook_endpoints set proven_at = now() where id = $1'), [id]);

async function due(endpointId: Uuid, more: Partial<Delivery> = {}): Promise<Uuid> {
  const now = systemClock.now();
  const message: Message = {
    id: ids.next(),
    endpointId,
    accountId,
    mode: 'live',
    event: 'scan.created',
    qrCodeId: randomUUID(),
    body: '{"event":"scan.created"}',
    createdAt: now,
  };
  return (await messageStore.replayMessage(db, { ...message, ...unattempted, ...more }, now)).id;
}

async function manyDue(endpointId: Uuid, count: number, more: Partial<Delivery> = {}): Promise<Uuid[]> {
  return await Promise.all(Array.from({ length: count }, () => due(endpointId, more)));
}

const pendingOf = async (endpointId: Uuid): Promise<readonly Delivery[]> =>
  (await messageStore.listMessages(db, endpointId, 'pending', { page: 1, limit: 100 })).items;

const waitingOf = async (endpointId: Uuid, reason: string) =>
  (await pendingOf(endpointId)).filter(({ waitingFor }) => waitingFor === reason);

test('an endpoint that never answers 2xx gets ten attempts a minute; the rest waits, and no attempt is used up', async () => {
  answer = status(404);
  const endpoint = await addWebhook();
  await manyDue(endpoint, 25);
  start(rateLimitsFor(1_000));
  // First retries wait there as well on a slow machine, and a reservation that expires unused is not given back.
  const unattemptedOf = async () =>
    (await waitingOf(endpoint, 'first_success')).filter(({ attempts }) => attempts === 0);
  await waitUntil('each is attempted or waits', async () => {
    const attempted = (await pendingOf(endpoint)).filter(({ attempts }) => attempts === 1);
    return attempted.length > 0 && attempted.length + (await unattemptedOf()).length === 25;
  });
  expect(receiver.arrivals.length).toBeGreaterThan(0);
  expect(receiver.arrivals.length).toBeLessThanOrEqual(10);
  for (const { status, nextAt } of await unattemptedOf()) {
    expect(status).toBe('pending');
    expect(nextAt!.getTime()).toBeGreaterThan(Date.now() + 45_000);
  }
  expect(throttled.length).toBeGreaterThanOrEqual(15);
  expect(new Set(throttled)).toEqual(new Set(['first_success']));
  expect(await provenAtOf(endpoint)).toBeNull();
});

test('its first 2xx proves it at once, and the messages that waited for it are due', async () => {
  answer = status(204);
  const endpoint = await addWebhook();
  await manyDue(endpoint, 40);
  start(rateLimitsFor(1_000));
  await waitUntil('it is proven', async () => (await provenAtOf(endpoint)) !== null);
  await waitUntil('all have arrived', async () => {
    await releaseProven(db, systemClock.now());
    return receiver.arrivals.length === 40;
  });
  expect(new Set(receiver.arrivals.map(({ id }) => id)).size).toBe(40);
  await waitUntil('none is pending', async () => (await pendingOf(endpoint)).length === 0);
});

test('messages that wait for the first success are due however long ago it was', async () => {
  const [endpoint, other] = [await addWebhook('/old'), await addWebhook('/unproven')];
  const waits = { waitingFor: 'first_success', nextAt: new Date(Date.now() + 3_600_000) } as const;
  await manyDue(endpoint, 3);
  await manyDue(other, 2);
  await db.query(
    sql(
      'test-wait',
      'update webhook_messages set waiting_for = $2, next_at = $3 where endpoint_id = any($1)',
    ),
    [[endpoint, other], waits.waitingFor, waits.nextAt],
  );
  await db.query(
    sql('test-prove-old', `update webhook_endpoints set proven_at = now() - interval '1 day' where id = $1`),
    [endpoint],
  );
  await releaseProven(db, systemClock.now());
  for (const { nextAt, waitingFor } of await pendingOf(endpoint))
    expect([nextAt!.getTime() <= Date.now(), waitingFor]).toEqual([true, null]);
  expect(await waitingOf(other, 'first_success')).toHaveLength(2);
});

test('a name server that delays its answers cannot bunch attempts', async () => {
  answer = status(204);
  const heldAnswers: (() => void)[] = [];
  const names = await startNameServer(() => ({ a: ['127.0.0.1'] }));
  let isHolding = true;
  const slow: HostResolver = {
    async resolve(host) {
      if (isHolding) await new Promise<void>(resolve => heldAnswers.push(resolve));
      return await createHostResolver(createAddressGuard(['127.0.0.1']), [names.address]).resolve(host);
    },
  };
  const slowSender = createSender({ resolver: slow, clock: systemClock });
  const endpoints = await Promise.all(Array.from({ length: 10 }, (_, n) => addWebhook(`/${n}`)));
  const port = new URL(receiver.url).port;
  await db.query(
    sql('test-name', `update webhook_endpoints set url = $2, proven_at = now() where id = any($1::uuid[])`),
    [endpoints, `http://held.example:${port}/`],
  );
  const rate = 20;
  for (const endpoint of endpoints) await manyDue(endpoint, 8);
  start(rateLimitsFor(rate), slowSender);
  const startMs = performance.now();
  await waitUntil('the name was asked for', () => heldAnswers.length > 0);
  // The reservations of two seconds have passed.
  await waitUntil('two seconds are over', () => performance.now() - startMs > 2_000);
  expect(receiver.arrivals).toEqual([]);
  isHolding = false;
  for (const answer of heldAnswers) answer();
  await waitUntil('all have arrived', () => receiver.arrivals.length >= 80, { timeoutMs: 30_000 });
  const times = receiver.arrivals.map(({ atMs }) => atMs).sort((a, b) => a - b);
  const inSecond = times.map((from, index) => times.slice(index).filter(at => at < from + 1_000).length);
  console.log(`held name: at most ${Math.max(...inSecond)} in a second at a rate of ${rate}`);
  // The reservations of 1.25 seconds, and something for the network.
  expect(Math.max(...inSecond)).toBeLessThanOrEqual(1.5 * rate);
  await slowSender.close();
  await names.close();
});

test('a new URL has to succeed once; other changes do not matter, and a late 2xx of the old URL proves nothing', async () => {
  const answers: (() => void)[] = [];
  answer = (_arrival, response) => void answers.push(() => response.writeHead(204).end());
  const endpoint = await addWebhook('/old');
  start(rateLimitsFor(1_000));
  await due(endpoint);
  await waitUntil('it was attempted', () => answers.length === 1);
  await webhooks.update(db, caller(), endpoint, { url: `${receiver.url}/new` });
  answers.pop()!();
  await waitUntil('it is delivered', async () => (await pendingOf(endpoint)).length === 0);
  expect(await provenAtOf(endpoint)).toBeNull();
  answer = status(204);
  await due(endpoint);
  await waitUntil('it is proven', async () => (await provenAtOf(endpoint)) !== null);
  await webhooks.update(db, caller(), endpoint, { description: 'the new one', url: `${receiver.url}/new` });
  await webhooks.rotate(db, caller(), endpoint, 0);
  expect(await provenAtOf(endpoint)).not.toBeNull();
  await webhooks.update(db, caller(), endpoint, { url: `${receiver.url}/newer` });
  expect(await provenAtOf(endpoint)).toBeNull();
});

test('a retry that is throttled keeps its attempts and the result of the last one', async () => {
  answer = status(204);
  const endpoint = await addWebhook();
  await prove(endpoint);
  const before = { attempts: 3, error: 'status', responseStatus: 500, lastAt: new Date(0) } as const;
  await manyDue(endpoint, 10, before);
  start(rateLimitsFor(2));
  await waitUntil('some wait', async () => (await waitingOf(endpoint, 'host_rate')).length >= 5);
  for (const delivery of await waitingOf(endpoint, 'host_rate')) {
    expect(delivery).toMatchObject({ ...before, status: 'pending' });
    expect(delivery.nextAt!.getTime() - Date.now()).toBeLessThan(6_000);
  }
  await waitUntil('all have arrived', () => receiver.arrivals.length === 10, { timeoutMs: 20_000 });
  expect(new Set(receiver.arrivals.map(({ id }) => id)).size).toBe(10);
});

test('live and test webhooks of an account share the rate of a host, whatever the port', async () => {
  answer = status(204);
  const other = await startReceiver();
  const url = other.url.replace('127.0.0.1', '127.1');
  const [live, inTest] = [await addWebhook('/live'), await addWebhook('/test', 'test')];
  await webhooks.update(db, caller('test'), inTest, { url });
  await Promise.all([prove(live), prove(inTest)]);
  await Promise.all([manyDue(live, 15), manyDue(inTest, 15, { mode: 'test' })]);
  start(rateLimitsFor(10));
  const all = () => [...receiver.arrivals, ...other.arrivals].map(({ atMs }) => atMs).sort((a, b) => a - b);
  await waitUntil('all have arrived', () => all().length === 30, { timeoutMs: 20_000 });
  expect([receiver.arrivals.length, other.arrivals.length]).toEqual([15, 15]);
  // Thirty at ten a second: the last comes 2.9 seconds after the first.
  expect(all().at(-1)! - all()[0]!).toBeGreaterThan(2_600);
  await other.close();
});

test('a test is marked by a header, on retries too; its body is like any other', async () => {
  answer = status(500);
  const endpoint = await addWebhook();
  await prove(endpoint);
  start(rateLimitsFor(1_000));
  const [inTest, real] = [await due(endpoint, { qrCodeId: null }), await due(endpoint)];
  await waitUntil('both were attempted', () => receiver.arrivals.length === 2);
  await waitUntil('both outcomes are written', async () =>
    (await pendingOf(endpoint)).every(({ attempts }) => attempts === 1),
  );
  await db.query(sql('test-now', 'update webhook_messages set next_at = now() where endpoint_id = $1'), [
    endpoint,
  ]);
  await waitUntil('both were attempted again', () => receiver.arrivals.length === 4);
  const marks = receiver.arrivals.map(({ headers }) => headers['x-signpost-test']).sort();
  expect(marks).toEqual(['true', 'true', undefined, undefined]);
  expect(new Set(receiver.arrivals.map(({ body }) => body)).size).toBe(1);
  expect(inTest).not.toBe(real);
});
