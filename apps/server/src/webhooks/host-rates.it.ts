import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { redisUrl } from '../../../../test/support/database.ts';
import { createRedis, type RedisClient } from '../platform/redis.ts';
import { createHostRates, type HostRates } from './host-rates.ts';
import { type Ask, type Limits, limitsFor } from './turns.ts';

const clients: RedisClient[] = [];
afterAll(() => {
  for (const client of clients) client.disconnect();
});

/** One of several processes, as far as Redis can tell. */
function open(limits: Limits, url = redisUrl): HostRates & { alone: number } {
  const redis = createRedis({ redisUrl: url, redisTimeoutMs: 5_000 }, () => {}, { patient: true });
  clients.push(redis);
  const rates = createHostRates({
    redis,
    limits,
    onShared(isShared) {
      if (!isShared) opened.alone++;
    },
  });
  const opened = { take: rates.take, alone: 0 };
  return opened;
}

const newHost = () => `${randomUUID()}.example`;
const ask = (of: Partial<Ask>): Ask => ({
  host: 'a.example',
  accountId: 'a',
  rate: null,
  unproven: null,
  kind: 'parked',
  count: 1,
  ...of,
});

/** The most in any second: from each moment on, that one included, up to and without the end. */
function mostIn(slotsMs: readonly number[], windowMs = 1_000): number {
  const sorted = [...slotsMs].sort((a, b) => a - b);
  let [most, from] = [0, 0];
  for (const [index, slot] of sorted.entries()) {
    while (slot - sorted[from]! >= windowMs - 1e-6) from++;
    most = Math.max(most, index - from + 1);
  }
  return most;
}

/** Asks again and again for so long; what it got, by the clock of Redis where that decided, and what was put off. */
async function want(rates: HostRates, one: Ask, forMs: number, everyMs = 40) {
  const [slotsMs, waitsMs]: [number[], number[]] = [[], []];
  const endMs = performance.now() + forMs;
  while (performance.now() < endMs) {
    const turns = await rates.take(one);
    slotsMs.push(...(turns.decidedUs?.map(us => us / 1000) ?? turns.slotsMs));
    waitsMs.push(...turns.waitsMs);
    await sleep(everyMs);
  }
  return { slotsMs, waitsMs };
}

test('an account gets its rate at a host and not one try more, by whichever processes it asks', async () => {
  const [limits, host] = [limitsFor(50), newHost()];
  const processes = [open(limits), open(limits)];
  const kinds = ['live', 'parked', 'again'] as const;
  const got = await Promise.all(
    processes.flatMap(rates =>
      kinds.map(kind => want(rates, ask({ host, kind, count: 7 }), 4_000, 10 + 40 * Math.random())),
    ),
  );
  const slots = got.flatMap(({ slotsMs }) => slotsMs);
  expect(mostIn(slots)).toBeLessThanOrEqual(50);
  // Up to a second ahead of the four.
  expect(slots.length).toBeGreaterThanOrEqual(0.95 * 4 * 50);
  expect(processes.map(({ alone }) => alone)).toEqual([0, 0]);
});

test('a plan may raise it; another host, and another account at the same, have theirs', async () => {
  const [rates, host] = [open(limitsFor(10)), newHost()];
  const given = async (of: Partial<Ask>) =>
    (await rates.take(ask({ host, count: 100, ...of }))).slotsMs.length;
  // A second ahead, the first place of the next perhaps included.
  expect([10, 11]).toContain(await given({}));
  expect(await given({})).toBeLessThanOrEqual(1);
  expect([30, 31]).toContain(await given({ accountId: 'b', rate: 30 }));
  expect([10, 11]).toContain(await given({ accountId: 'c' }));
  expect([10, 11]).toContain(await given({ host: newHost() }));
});

test('what is over the rate is told to come back at the rate, one behind the other', async () => {
  const [rates, host] = [open(limitsFor(20)), newHost()];
  const first = await rates.take(ask({ host, count: 50 }));
  const second = await rates.take(ask({ host, kind: 'live', count: 10 }));
  expect(second.slotsMs).toEqual([]);
  expect([first.reason, second.reason]).toEqual(['host_rate', 'host_rate']);
  const waits = [...first.waitsMs, ...second.waitsMs];
  const steps = waits.slice(1).map((wait, index) => wait - waits[index]!);
  // Between the two asks some time has gone by.
  for (const step of steps)
    expect(Math.abs(step - 50.25)).toBeLessThan(step === steps[first.waitsMs.length - 1] ? 50 : 1);
});

test('retries and replays leave room: a new event beside them waits less than a second', async () => {
  const [rates, host] = [open(limitsFor(20)), newHost()];
  await rates.take(ask({ host, kind: 'again', count: 200 }));
  const { slotsMs } = await rates.take(ask({ host, kind: 'live', count: 5 }));
  expect(slotsMs).toHaveLength(5);
  expect(slotsMs.at(-1)! - performance.now()).toBeLessThan(1_000);
});

test.each([
  ['Redis', redisUrl],
  ['the process alone', 'redis://127.0.0.1:9'],
])(
  'what a line was made for may be gone: once a host had nothing to do, nobody waits behind it (%s)',
  async (_, url) => {
    const [rates, host] = [open(limitsFor(20), url), newHost()];
    for (const kind of ['live', 'again'] as const) {
      const { waitsMs } = await rates.take(ask({ host, kind, count: 200 }));
      expect(waitsMs.at(-1)).toBeGreaterThan(8_000);
    }
    // The moments lie up to a second ahead; then a second of nothing.
    await sleep(2_500);
    const five = await rates.take(ask({ host, kind: 'live', count: 5 }));
    expect([five.slotsMs.length, five.waitsMs]).toEqual([5, []]);
    const { waitsMs } = await rates.take(ask({ host, kind: 'live', count: 30 }));
    expect(waitsMs[0]).toBeLessThan(1_100);
  },
);

test.each([
  ['Redis', redisUrl],
  ['the process alone', 'redis://127.0.0.1:9'],
])(
  'one that has waited, and finds no moment again, does not go to the end of the line (%s)',
  async (_, url) => {
    const [rates, host] = [open(limitsFor(20), url), newHost()];
    const first = await rates.take(ask({ host, kind: 'live', count: 400 }));
    const lost = await rates.take(ask({ host, kind: 'parked', count: 40 }));
    expect(first.waitsMs.at(-1)).toBeGreaterThan(18_000);
    expect(lost.waitsMs.length).toBeGreaterThanOrEqual(30);
    // Five seconds, and forty at twenty a second: one behind the other.
    expect(lost.waitsMs[0]).toBeLessThan(5_100);
    expect(lost.waitsMs.at(-1)).toBeGreaterThan(6_800);
    expect(lost.waitsMs.at(-1)).toBeLessThan(7_200);
    const next = await rates.take(ask({ host, kind: 'live' }));
    expect(next.waitsMs[0]).toBeGreaterThan(18_000);
    expect(next.waitsMs[0]).toBeLessThan(first.waitsMs.at(-1)! + 100);
  },
);

test.each([
  ['Redis', redisUrl],
  ['the process alone', 'redis://127.0.0.1:9'],
])('new events that fill all of a host leave a tenth to what was tried before (%s)', async (_, url) => {
  const [rates, host] = [open(limitsFor(20), url), newHost()];
  await rates.take(ask({ host, count: 30 }));
  const [fresh, again] = await Promise.all([
    want(rates, ask({ host, kind: 'parked', count: 5 }), 4_000, 20),
    want(rates, ask({ host, kind: 'again' }), 4_000, 50),
  ]);
  expect(again.slotsMs.length).toBeGreaterThanOrEqual(5);
  expect(again.slotsMs.length).toBeLessThanOrEqual(25);
  expect(fresh.slotsMs.length).toBeGreaterThanOrEqual(45);
  expect(mostIn([...fresh.slotsMs, ...again.slotsMs])).toBeLessThanOrEqual(20);
});

test('a clock of Redis that is set back holds up nobody for longer than some seconds', async () => {
  const [rates, host, unproven] = [open(limitsFor(20)), newHost(), randomUUID()];
  const prefix = `signpost:{${host}}:hooks:`;
  const redis = clients.at(-1)!;
  const laterUs = String((Date.now() + 600_000) * 1000);
  await redis.hset(`${prefix}of:a`, { next: laterUs, fair: laterUs, share: laterUs });
  await redis.lpush(`${prefix}unproven:${unproven}`, ...Array.from({ length: 10 }, () => laterUs));
  await redis.zadd(`${prefix}wanting`, laterUs, 'b');
  // What was given out before it lies within the first second: nothing is added to that.
  const { slotsMs } = await rates.take(ask({ host, unproven }));
  expect(slotsMs).toHaveLength(1);
  expect(slotsMs[0]! - performance.now()).toBeGreaterThan(900);
  expect(slotsMs[0]! - performance.now()).toBeLessThan(1_100);
  expect(await redis.zcard(`${prefix}wanting`)).toBe(0);
  await sleep(1_100);
  expect((await rates.take(ask({ host, count: 10 }))).slotsMs).toHaveLength(10);
});

test('all accounts together get ten times the rate; those that want more get equal shares, the others all they want', async () => {
  const [limits, host] = [limitsFor(20), newHost()];
  const processes = [open(limits), open(limits)];
  const forMs = 8_000;
  const greedy = Array.from({ length: 20 }, (_, n) => `greedy ${n}`);
  const modest = Array.from({ length: 5 }, (_, n) => `modest ${n}`);
  const of = (accountId: string, count: number, everyMs: number, lastsMs = forMs) =>
    want(processes[Math.random() < 0.5 ? 0 : 1]!, ask({ host, accountId, count }), lastsMs, everyMs);
  const [loud, quiet] = await Promise.all([
    // Some of them shout louder.
    Promise.all(greedy.map((account, n) => of(account, 20, n < 5 ? 15 : 100))),
    // Once the shares are known: before that, all of the first second is taken.
    sleep(2_000).then(() => Promise.all(modest.map(account => of(account, 1, 500, forMs - 2_000)))),
  ]);
  const all = [...loud, ...quiet].flatMap(({ slotsMs }) => slotsMs);
  const total = 200;
  expect(mostIn(all)).toBeLessThanOrEqual(total);
  const fromMs = Math.min(...all) + 2_000;
  const settled = (slotsMs: readonly number[]) => slotsMs.filter(slot => slot >= fromMs).length;
  const [least, most] = [Math.min, Math.max].map(pick =>
    pick(...loud.map(({ slotsMs }) => settled(slotsMs))),
  );
  const fair = loud.reduce((sum, { slotsMs }) => sum + settled(slotsMs), 0) / greedy.length;
  console.log(
    `all accounts: ${all.length} in ${forMs / 1000} s at ${total} a second; settled shares ${least} to ${most}, fair ${fair.toFixed(1)}`,
  );
  expect(all.length).toBeGreaterThanOrEqual((0.8 * total * forMs) / 1000);
  expect(least!).toBeGreaterThanOrEqual(0.6 * fair);
  expect(most!).toBeLessThanOrEqual(1.4 * fair);
  expect(quiet.flatMap(({ waitsMs }) => waitsMs)).toEqual([]);
});

describe('an endpoint without a success', () => {
  test('gets ten tries a minute; the rest is told to come back six seconds apart', async () => {
    const [rates, host, unproven] = [open(limitsFor(1_000)), newHost(), randomUUID()];
    const first = await rates.take(ask({ host, unproven, count: 15 }));
    expect([first.slotsMs.length, first.reason]).toEqual([10, 'first_success']);
    expect(first.waitsMs.map(wait => Math.round(wait / 100) / 10)).toEqual([60, 66, 72, 78, 84]);
    expect((await rates.take(ask({ host, unproven, kind: 'again' }))).slotsMs).toEqual([]);
    // Others at the host are not held back by it.
    expect((await rates.take(ask({ host, unproven: randomUUID() }))).slotsMs).toHaveLength(1);
    expect((await rates.take(ask({ host }))).slotsMs).toHaveLength(1);
  });

  test('never gets more in any window, and all of it', async () => {
    const limits = { ...limitsFor(1_000), unprovenWindowMs: 1_000 };
    const [rates, host, unproven] = [open(limits), newHost(), randomUUID()];
    const { slotsMs } = await want(rates, ask({ host, unproven, count: 3 }), 4_000, 20);
    expect(mostIn(slotsMs)).toBeLessThanOrEqual(10);
    expect(slotsMs.length).toBeGreaterThanOrEqual(35);
  });
});

test('without Redis each process keeps to the same limits by itself', async () => {
  const [limits, host] = [limitsFor(20), newHost()];
  const rates = open({ ...limits, unprovenWindowMs: 1_500 }, 'redis://127.0.0.1:9');
  const accounts = Array.from({ length: 15 }, (_, n) => `account ${n}`);
  const [got, unproven] = await Promise.all([
    Promise.all(accounts.map(accountId => want(rates, ask({ host, accountId, count: 5 }), 3_000))),
    want(rates, ask({ host: newHost(), unproven: randomUUID(), count: 3 }), 3_000),
  ]);
  for (const { slotsMs } of got) expect(mostIn(slotsMs)).toBeLessThanOrEqual(20);
  const all = got.flatMap(({ slotsMs }) => slotsMs);
  expect(mostIn(all)).toBeLessThanOrEqual(200);
  expect(all.length).toBeGreaterThanOrEqual(0.8 * 3 * 200);
  expect(mostIn(unproven.slotsMs, 1_500)).toBeLessThanOrEqual(10);
  expect(rates.alone).toBeGreaterThan(0);
});
