import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { redisUrl } from '@signpost/testing/database.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { createRedis, type RedisClient } from '../../../platform/redis/redis.ts';
import { createHostRateLimiter, type HostRateLimiter } from './host-rate-limiter.ts';
import { type RateLimits, type ReservationRequest, rateLimitsFor } from './rate-reservation.ts';

const clients: RedisClient[] = [];
afterAll(() => {
  for (const client of clients) client.disconnect();
});

/** One of several processes, as far as Redis can tell. `localDecisions` counts those made without Redis. */
function openLimiter(limits: RateLimits, url = redisUrl): HostRateLimiter & { localDecisions: number } {
  const redis = createRedis({ redisUrl: url, redisTimeoutMs: 5_000 }, () => {}, { queueOffline: true });
  clients.push(redis);
  const limiter = createHostRateLimiter({
    redis,
    limits,
    onShared(isShared) {
      if (!isShared) opened.localDecisions++;
    },
  });
  const opened = { reserve: limiter.reserve, localDecisions: 0 };
  return opened;
}

const newHost = () => `${randomUUID()}.example`;
const request = (fields: Partial<ReservationRequest>): ReservationRequest => ({
  host: 'a.example',
  accountId: 'a',
  rate: null,
  unproven: null,
  kind: 'deferred',
  count: 1,
  ...fields,
});

/** The most in any window, which includes its start and not its end. */
function maxPerWindow(reservedMs: readonly number[], windowMs = 1_000): number {
  const sorted = [...reservedMs].sort((a, b) => a - b);
  let [max, from] = [0, 0];
  for (const [index, at] of sorted.entries()) {
    while (at - sorted[from]! >= windowMs - 1e-6) from++;
    max = Math.max(max, index - from + 1);
  }
  return max;
}

/** Repeats a request for this long. Returns the reserved times, by Redis' clock where Redis decided, and the waits. */
async function requestFor(
  limiter: HostRateLimiter,
  repeated: ReservationRequest,
  forMs: number,
  everyMs = 40,
) {
  const [reservedMs, waitsMs]: [number[], number[]] = [[], []];
  const endMs = performance.now() + forMs;
  while (performance.now() < endMs) {
    const decision = await limiter.reserve(repeated);
    reservedMs.push(...(decision.decidedUs?.map(us => us / 1000) ?? decision.reservedMs));
    waitsMs.push(...decision.waitsMs);
    await sleep(everyMs);
  }
  return { reservedMs, waitsMs };
}

test('an account gets its rate at a host and not one attempt more, over all processes', async () => {
  const [limits, host] = [rateLimitsFor(50), newHost()];
  const processes = [openLimiter(limits), openLimiter(limits)];
  const kinds = ['new', 'deferred', 'retry'] as const;
  const results = await Promise.all(
    processes.flatMap(limiter =>
      kinds.map(kind =>
        requestFor(limiter, request({ host, kind, count: 7 }), 4_000, 10 + 40 * Math.random()),
      ),
    ),
  );
  const reserved = results.flatMap(({ reservedMs }) => reservedMs);
  expect(maxPerWindow(reserved)).toBeLessThanOrEqual(50);
  // Times are reserved up to a second ahead, so there may be more than four seconds' worth.
  expect(reserved.length).toBeGreaterThanOrEqual(0.95 * 4 * 50);
  expect(processes.map(({ localDecisions }) => localDecisions)).toEqual([0, 0]);
});

test('a plan may raise the rate; another host, and another account at the same host, have their own', async () => {
  const [limiter, host] = [openLimiter(rateLimitsFor(10)), newHost()];
  const reservedFor = async (fields: Partial<ReservationRequest>) =>
    (await limiter.reserve(request({ host, count: 100, ...fields }))).reservedMs.length;
  // A second's worth, and perhaps the first cell of the next second.
  expect([10, 11]).toContain(await reservedFor({}));
  expect(await reservedFor({})).toBeLessThanOrEqual(1);
  expect([30, 31]).toContain(await reservedFor({ accountId: 'b', rate: 30 }));
  expect([10, 11]).toContain(await reservedFor({ accountId: 'c' }));
  expect([10, 11]).toContain(await reservedFor({ host: newHost() }));
});

test('attempts over the rate get waits spaced by the rate', async () => {
  const [limiter, host] = [openLimiter(rateLimitsFor(20)), newHost()];
  const first = await limiter.reserve(request({ host, count: 50 }));
  const second = await limiter.reserve(request({ host, kind: 'new', count: 10 }));
  expect(second.reservedMs).toEqual([]);
  expect([first.reason, second.reason]).toEqual(['host_rate', 'host_rate']);
  const waits = [...first.waitsMs, ...second.waitsMs];
  const steps = waits.slice(1).map((wait, index) => wait - waits[index]!);
  // Some time passes between the two requests.
  for (const step of steps)
    expect(Math.abs(step - 50.25)).toBeLessThan(step === steps[first.waitsMs.length - 1] ? 50 : 1);
});

test('retries and replays leave room: a new event beside them waits less than a second', async () => {
  const [limiter, host] = [openLimiter(rateLimitsFor(20)), newHost()];
  await limiter.reserve(request({ host, kind: 'retry', count: 200 }));
  const { reservedMs } = await limiter.reserve(request({ host, kind: 'new', count: 5 }));
  expect(reservedMs).toHaveLength(5);
  expect(reservedMs.at(-1)! - performance.now()).toBeLessThan(1_000);
});

test.each([
  ['Redis', redisUrl],
  ['a process alone', 'redis://127.0.0.1:9'],
])('once a host was idle, its queues are empty (%s)', async (_, url) => {
  const [limiter, host] = [openLimiter(rateLimitsFor(20), url), newHost()];
  for (const kind of ['new', 'retry'] as const) {
    const { waitsMs } = await limiter.reserve(request({ host, kind, count: 200 }));
    expect(waitsMs.at(-1)).toBeGreaterThan(8_000);
  }
  // The reserved times lie up to a second ahead; then the host is idle for a second.
  await sleep(2_500);
  const five = await limiter.reserve(request({ host, kind: 'new', count: 5 }));
  expect([five.reservedMs.length, five.waitsMs]).toEqual([5, []]);
  const { waitsMs } = await limiter.reserve(request({ host, kind: 'new', count: 30 }));
  expect(waitsMs[0]).toBeLessThan(1_100);
});

test.each([
  ['Redis', redisUrl],
  ['a process alone', 'redis://127.0.0.1:9'],
])(
  'a deferred message that finds no reservation again does not go to the end of the queue (%s)',
  async (_, url) => {
    const [limiter, host] = [openLimiter(rateLimitsFor(20), url), newHost()];
    const first = await limiter.reserve(request({ host, kind: 'new', count: 400 }));
    const deferredAgain = await limiter.reserve(request({ host, kind: 'deferred', count: 40 }));
    expect(first.waitsMs.at(-1)).toBeGreaterThan(18_000);
    expect(deferredAgain.waitsMs.length).toBeGreaterThanOrEqual(30);
    // After five seconds, forty at twenty a second.
    expect(deferredAgain.waitsMs[0]).toBeLessThan(5_100);
    expect(deferredAgain.waitsMs.at(-1)).toBeGreaterThan(6_800);
    expect(deferredAgain.waitsMs.at(-1)).toBeLessThan(7_200);
    const next = await limiter.reserve(request({ host, kind: 'new' }));
    expect(next.waitsMs[0]).toBeGreaterThan(18_000);
    expect(next.waitsMs[0]).toBeLessThan(first.waitsMs.at(-1)! + 100);
  },
);

test.each([
  ['Redis', redisUrl],
  ['a process alone', 'redis://127.0.0.1:9'],
])("new events that use up a host's rate leave a tenth to retries (%s)", async (_, url) => {
  const [limiter, host] = [openLimiter(rateLimitsFor(20), url), newHost()];
  await limiter.reserve(request({ host, count: 30 }));
  const [fresh, retries] = await Promise.all([
    requestFor(limiter, request({ host, kind: 'deferred', count: 5 }), 4_000, 20),
    requestFor(limiter, request({ host, kind: 'retry' }), 4_000, 50),
  ]);
  expect(retries.reservedMs.length).toBeGreaterThanOrEqual(5);
  expect(retries.reservedMs.length).toBeLessThanOrEqual(25);
  expect(fresh.reservedMs.length).toBeGreaterThanOrEqual(45);
  expect(maxPerWindow([...fresh.reservedMs, ...retries.reservedMs])).toBeLessThanOrEqual(20);
});

test('a Redis clock that is set back delays attempts by a few seconds at most', async () => {
  const [limiter, host, unproven] = [openLimiter(rateLimitsFor(20)), newHost(), randomUUID()];
  const prefix = `signpost:{${host}}:hooks:`;
  const redis = clients.at(-1)!;
  const laterUs = String((Date.now() + 600_000) * 1000);
  await redis.hset(`${prefix}of:a`, { next: laterUs, fair: laterUs, retryShare: laterUs });
  await redis.lpush(`${prefix}unproven:${unproven}`, ...Array.from({ length: 10 }, () => laterUs));
  await redis.zadd(`${prefix}saturated`, laterUs, 'b');
  // Earlier reservations lie within the first second, so nothing is added to it.
  const { reservedMs } = await limiter.reserve(request({ host, unproven }));
  expect(reservedMs).toHaveLength(1);
  expect(reservedMs[0]! - performance.now()).toBeGreaterThan(900);
  expect(reservedMs[0]! - performance.now()).toBeLessThan(1_100);
  expect(await redis.zcard(`${prefix}saturated`)).toBe(0);
  await sleep(1_100);
  expect((await limiter.reserve(request({ host, count: 10 }))).reservedMs).toHaveLength(10);
});

test('all accounts together get ten times the rate; saturated ones get equal shares, the others all they ask for', async () => {
  const [limits, host] = [rateLimitsFor(20), newHost()];
  const processes = [openLimiter(limits), openLimiter(limits)];
  const forMs = 8_000;
  const greedyAccounts = Array.from({ length: 20 }, (_, n) => `greedy ${n}`);
  const modestAccounts = Array.from({ length: 5 }, (_, n) => `modest ${n}`);
  const requestsOf = (accountId: string, count: number, everyMs: number, lastsMs = forMs) =>
    requestFor(
      processes[Math.random() < 0.5 ? 0 : 1]!,
      request({ host, accountId, count }),
      lastsMs,
      everyMs,
    );
  const [saturated, modest] = await Promise.all([
    // Some of them ask more often.
    Promise.all(greedyAccounts.map((account, n) => requestsOf(account, 20, n < 5 ? 15 : 100))),
    // Once the saturated accounts are known: before that, all of the first second is taken.
    sleep(2_000).then(() =>
      Promise.all(modestAccounts.map(account => requestsOf(account, 1, 500, forMs - 2_000))),
    ),
  ]);
  const all = [...saturated, ...modest].flatMap(({ reservedMs }) => reservedMs);
  const total = 200;
  expect(maxPerWindow(all)).toBeLessThanOrEqual(total);
  const fromMs = Math.min(...all) + 2_000;
  const steady = (reservedMs: readonly number[]) => reservedMs.filter(at => at >= fromMs).length;
  const [min, max] = [Math.min, Math.max].map(pick =>
    pick(...saturated.map(({ reservedMs }) => steady(reservedMs))),
  );
  const fair = saturated.reduce((sum, { reservedMs }) => sum + steady(reservedMs), 0) / greedyAccounts.length;
  console.log(
    `all accounts: ${all.length} in ${forMs / 1000} s at ${total} a second; steady shares ${min} to ${max}, fair ${fair.toFixed(1)}`,
  );
  expect(all.length).toBeGreaterThanOrEqual((0.8 * total * forMs) / 1000);
  expect(min!).toBeGreaterThanOrEqual(0.6 * fair);
  expect(max!).toBeLessThanOrEqual(1.4 * fair);
  expect(modest.flatMap(({ waitsMs }) => waitsMs)).toEqual([]);
});

describe('an endpoint without a success', () => {
  test('gets ten attempts a minute; the rest get waits six seconds apart', async () => {
    const [limiter, host, unproven] = [openLimiter(rateLimitsFor(1_000)), newHost(), randomUUID()];
    const first = await limiter.reserve(request({ host, unproven, count: 15 }));
    expect([first.reservedMs.length, first.reason]).toEqual([10, 'first_success']);
    expect(first.waitsMs.map(wait => Math.round(wait / 100) / 10)).toEqual([60, 66, 72, 78, 84]);
    expect((await limiter.reserve(request({ host, unproven, kind: 'retry' }))).reservedMs).toEqual([]);
    // Others at the host are not limited by it.
    expect((await limiter.reserve(request({ host, unproven: randomUUID() }))).reservedMs).toHaveLength(1);
    expect((await limiter.reserve(request({ host }))).reservedMs).toHaveLength(1);
  });

  test('gets no more than its limit in any window, and no less', async () => {
    const limits = { ...rateLimitsFor(1_000), unprovenWindowMs: 1_000 };
    const [limiter, host, unproven] = [openLimiter(limits), newHost(), randomUUID()];
    const { reservedMs } = await requestFor(limiter, request({ host, unproven, count: 3 }), 4_000, 20);
    expect(maxPerWindow(reservedMs)).toBeLessThanOrEqual(10);
    expect(reservedMs.length).toBeGreaterThanOrEqual(35);
  });
});

test('without Redis each process keeps the same limits by itself', async () => {
  const [limits, host] = [rateLimitsFor(20), newHost()];
  const limiter = openLimiter({ ...limits, unprovenWindowMs: 1_500 }, 'redis://127.0.0.1:9');
  const accounts = Array.from({ length: 15 }, (_, n) => `account ${n}`);
  const [results, unproven] = await Promise.all([
    Promise.all(
      accounts.map(accountId => requestFor(limiter, request({ host, accountId, count: 5 }), 3_000)),
    ),
    requestFor(limiter, request({ host: newHost(), unproven: randomUUID(), count: 3 }), 3_000),
  ]);
  for (const { reservedMs } of results) expect(maxPerWindow(reservedMs)).toBeLessThanOrEqual(20);
  const all = results.flatMap(({ reservedMs }) => reservedMs);
  expect(maxPerWindow(all)).toBeLessThanOrEqual(200);
  expect(all.length).toBeGreaterThanOrEqual(0.8 * 3 * 200);
  expect(maxPerWindow(unproven.reservedMs, 1_500)).toBeLessThanOrEqual(10);
  expect(limiter.localDecisions).toBeGreaterThan(0);
});
