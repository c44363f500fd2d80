import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { redisUrl } from '@signpost/testing/database.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { type EngineProxy, startProxy } from '@signpost/testing/proxy.ts';
import { afterEach, expect, test } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import { createRedis, type RedisClient } from '../../platform/redis/redis.ts';
import { createConcurrencySlots } from './concurrency.ts';
import { createShare, type HeldSlots, type Share } from './share.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

type Sizes = Partial<{
  perAccount: number;
  perProcess: number;
  queueLimits: { total: number; perAccount: number };
  waitMs: number;
  timeoutMs: number;
}>;
type Process = { readonly share: Share; readonly redis: RedisClient; refused: number; withoutRedis: number };

const leaseMs = 1_000;

/** What a process has: its own connection to Redis, and its own queue. */
async function startProcess(sizes: Sizes = {}, url = redisUrl): Promise<Process> {
  const {
    perAccount = 2,
    perProcess = 100,
    queueLimits = { total: 100, perAccount: 100 },
    waitMs = 60_000,
  } = sizes;
  const { timeoutMs = 10_000 } = sizes;
  const redis = createRedis({ redisUrl: url, redisTimeoutMs: 10_000 }, () => {});
  await once(redis, 'ready');
  const onAway = () => started.withoutRedis++;
  const slots = createConcurrencySlots({ redis, kind: 'tests', perAccount, timeoutMs, onAway, leaseMs });
  const share = createShare({
    slots,
    perProcess,
    queueLimits,
    waitMs,
    refusal: exhausted =>
      new AppError('rate_limit_exceeded', `All of the ${exhausted}`, { retryAfterSeconds: 1 }),
    onRefused: () => started.refused++,
  });
  const started: Process = { share, redis, refused: 0, withoutRedis: 0 };
  ends.push(() => {
    share.close();
    redis.disconnect();
  });
  return started;
}

const withoutWaiting = { waits: false };
const isFree = (share: Share, account: string) =>
  share.take(account, withoutWaiting).then(
    held => {
      held.release();
      return true;
    },
    () => false,
  );

test('two processes share the slots of an account, and one finds the slots that the other releases', async () => {
  const [one, two] = [await startProcess(), await startProcess()];
  const account = randomUUID();
  const first = await one.share.take(account);
  await two.share.take(account);
  expect([await isFree(one.share, account), await isFree(two.share, account)]).toEqual([false, false]);
  expect(await isFree(two.share, randomUUID())).toBe(true);

  const waiting = two.share.take(account);
  await waitUntil('it waits', async () => two.share.waiting === 1);
  first.release();
  expect((await waiting).count).toBe(1);
  expect([one.share.inUse, two.share.inUse]).toEqual([0, 2]);
  expect([one.withoutRedis, two.withoutRedis]).toEqual([0, 0]);
});

test('an account never holds more than its slots over two processes, and every call is served', async () => {
  const processes = [await startProcess({ perAccount: 3 }), await startProcess({ perAccount: 3 })];
  const account = randomUUID();
  let [running, most] = [0, 0];
  await Promise.all(
    Array.from({ length: 120 }, async (_, index) => {
      const held = await processes[index % 2]!.share.take(account, { most: 1 + (index % 3) });
      running += held.count;
      most = Math.max(most, running);
      await turn();
      running -= held.count;
      held.release();
    }),
  );
  expect([running, most]).toEqual([0, 3]);
});

test('slots of a process that dies are free within seconds, those of a living one stay taken', async () => {
  const [dying, living] = [await startProcess(), await startProcess()];
  const account = randomUUID();
  await living.share.take(account);
  await dying.share.take(account);
  dying.redis.disconnect();
  const start = performance.now();
  // Waits for the lease of the one, through several leases of the other.
  (await living.share.take(account)).release();
  expect(performance.now() - start).toBeGreaterThan(leaseMs / 2);
  const until = performance.now() + 3 * leaseMs;
  await waitUntil('some leases are over', async () => performance.now() > until);
  await living.share.take(account);
  expect(await isFree(living.share, account)).toBe(false);
});

test('a call gets more than one slot only while no other needs them', async () => {
  const { share } = await startProcess({ perAccount: 4 });
  const account = randomUUID();
  const greedy = await share.take(account, { most: 6 });
  expect(greedy.count).toBe(4);
  const next = share.take(account, { most: 6 });
  await waitUntil('it waits', async () => share.isWanted(account));
  greedy.releaseOne();
  expect((await next).count).toBe(1);
  expect(greedy.count).toBe(3);
});

test('calls that wait for a slot of their own account do not keep another account from having several', async () => {
  const { share } = await startProcess({ perAccount: 4, perProcess: 10 });
  const [busy, quiet] = [randomUUID(), randomUUID()];
  await share.take(busy, { most: 4 });
  for (let n = 0; n < 3; n++) void share.take(busy).catch(() => undefined);
  await waitUntil('they wait', async () => share.waiting === 3);
  expect((await share.take(quiet, { most: 6 })).count).toBe(4);
});

test('a full process serves accounts in turns, whichever came first', async () => {
  const { share } = await startProcess({ perAccount: 2, perProcess: 2 });
  const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()];
  const held = [await share.take(a), await share.take(a)];
  const served: string[] = [];
  const done = [a, a, a, a, b, b, c].map(async account => {
    const slots = await share.take(account);
    served.push(account);
    held.push(slots);
  });
  await waitUntil('all wait', async () => share.waiting === 7);
  while (served.length < 7) {
    held.shift()?.release();
    const before = served.length;
    await waitUntil('the next is served', async () => served.length > before || held.length === 0);
  }
  await Promise.all(done);
  const names = served.map(account => (account === a ? 'a' : account === b ? 'b' : 'c'));
  expect(names.slice(0, 3).sort()).toEqual(['a', 'b', 'c']);
  expect(names.slice(3, 5).sort()).toEqual(['a', 'b']);
});

test('the queue is bounded for an account and in total, and calls beyond that are refused at once', async () => {
  const queueLimits = { total: 3, perAccount: 2 };
  const process = await startProcess({ perAccount: 1, queueLimits });
  const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()];
  for (const account of [a, b, c]) await process.share.take(account);
  const tries = [a, a, a, b, b, c].map(account => process.share.take(account));
  const outcomes = tries.map(attempt =>
    attempt.then(
      () => 'served',
      (error: AppError) => error.code,
    ),
  );
  // The first call of c displaced the second of a.
  expect(await Promise.all([outcomes[1], outcomes[2], outcomes[4]])).toEqual(
    Array(3).fill('rate_limit_exceeded'),
  );
  expect([process.share.waiting, process.refused]).toEqual([3, 3]);
});

test('the first call of an account that finds the queue full displaces the last of the account with the most', async () => {
  const process = await startProcess({
    perAccount: 1,
    perProcess: 2,
    queueLimits: { total: 3, perAccount: 3 },
  });
  const [a, b, late, later] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const [first] = [await process.share.take(a), await process.share.take(b)];
  const outcomes: string[] = [];
  const take = (name: string, account: string) =>
    process.share.take(account).then(
      () => outcomes.push(`${name} served`),
      (error: AppError) => outcomes.push(`${name}: ${error.message}`),
    );
  for (const name of ['a1', 'a2', 'a3']) void take(name, a);
  await waitUntil('the queue is full', async () => process.share.waiting === 3);
  void take('late', late);
  await waitUntil('one is displaced', async () => outcomes.length === 1);
  // Its account holds all of its own slots.
  expect(outcomes).toEqual(['a3: All of the account']);
  void take('later', later);
  await waitUntil('another is displaced', async () => outcomes.length === 2);
  await take('last', randomUUID());
  expect(outcomes.slice(1)).toEqual(['a2: All of the account', 'last: All of the process']);
  first!.release();
  await waitUntil('a waiting call is served', async () => outcomes.length === 4);
  expect(process.refused).toBe(3);
});

test('a call that does not wait for a slot is not counted as refused', async () => {
  const process = await startProcess({ perAccount: 1 });
  const account = randomUUID();
  await process.share.take(account);
  await expect(process.share.take(account, withoutWaiting)).rejects.toThrow('All of the account');
  expect(process.refused).toBe(0);
});

test('a call that waited too long is refused, and one whose client hangs up leaves the queue', async () => {
  const process = await startProcess({ perAccount: 1, waitMs: 100 });
  const account = randomUUID();
  const held = await process.share.take(account);
  await expect(process.share.take(account)).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  const unhurried = await startProcess({ perAccount: 1 });
  const client = new AbortController();
  const left = unhurried.share.take(account, { signal: client.signal });
  await waitUntil('it waits', async () => unhurried.share.waiting === 1);
  client.abort(new Error('hung up'));
  await expect(left).rejects.toThrow('hung up');
  expect([unhurried.share.waiting, unhurried.share.inUse, unhurried.refused]).toEqual([0, 0, 0]);
  held.release();
  await waitUntil('the slot is free', () => isFree(unhurried.share, account));
});

test('without Redis a process counts alone within 50 ms, and when it is back all count together', async () => {
  const proxy: EngineProxy = await startProxy(Number(new URL(redisUrl).port));
  ends.push(() => proxy.close());
  const sizes = { timeoutMs: 40 };
  const through = new URL(redisUrl);
  through.port = String(proxy.port);
  const far = await startProcess(sizes, through.href);
  const near = await startProcess();
  const account = randomUUID();
  await near.share.take(account);
  await near.share.take(account);

  proxy.silent = true;
  // The best of some: a busy machine makes any one of them late.
  const [waited, bare] = [[], []] as [number[], number[]];
  for (let n = 0; n < 5; n++) {
    const start = performance.now();
    const timer = new Promise<number>(resolve =>
      setTimeout(() => resolve(performance.now() - start), sizes.timeoutMs),
    );
    (await far.share.take(randomUUID())).release();
    waited.push(performance.now() - start);
    bare.push(await timer);
  }
  expect(Math.min(...waited)).toBeLessThan(Math.min(...bare) + 10);
  const held: HeldSlots[] = [await far.share.take(account)];
  held.push(await far.share.take(account));
  expect(await isFree(far.share, account)).toBe(false);
  expect(far.withoutRedis).toBeGreaterThanOrEqual(2);

  proxy.silent = false;
  proxy.cut();
  // What the process took alone is counted with the others once it is renewed.
  await waitUntil('all four are counted', async () => (await near.redis.zcard(keyOf(account))) === 4);
  for (const slots of held) slots.release();
  await waitUntil('two are left', async () => (await near.redis.zcard(keyOf(account))) === 2);
  expect(await isFree(far.share, account)).toBe(false);
});

const keyOf = (account: string) => `signpost:{${account}}:tests`;
