import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { redisUrl } from '../../../../test/support/database.ts';
import { type EngineProxy, startProxy } from '../../../../test/support/proxy.ts';
import { waitUntil } from '../../../../tools/engines/wait.ts';
import { AppError } from '../kernel/errors.ts';
import { createRedis, type RedisClient } from '../platform/redis.ts';
import { createPlaces } from './places.ts';
import { createShare, type Holding, type Share } from './share.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

type Sizes = Partial<{
  perAccount: number;
  inAll: number;
  room: { inAll: number; perAccount: number };
  waitMs: number;
  timeoutMs: number;
}>;
type Process = { readonly share: Share; readonly redis: RedisClient; refused: number; alone: number };

const leaseMs = 1_000;

/** What one process has: a connection of its own to Redis, and its own line. */
async function startProcess(sizes: Sizes = {}, url = redisUrl): Promise<Process> {
  const { perAccount = 2, inAll = 100, room = { inAll: 100, perAccount: 100 }, waitMs = 60_000 } = sizes;
  const { timeoutMs = 10_000 } = sizes;
  const redis = createRedis({ redisUrl: url, redisTimeoutMs: 10_000 }, () => {});
  await once(redis, 'ready');
  const onAway = () => made.alone++;
  const places = createPlaces({ redis, kind: 'tests', perAccount, timeoutMs, onAway, leaseMs });
  const share = createShare({
    places,
    inAll,
    room,
    waitMs,
    refusal: taken => new AppError('rate_limit_exceeded', `All of the ${taken}`, { retryAfterSeconds: 1 }),
    onRefused: () => made.refused++,
  });
  const made: Process = { share, redis, refused: 0, alone: 0 };
  ends.push(() => {
    share.close();
    redis.disconnect();
  });
  return made;
}

const refusedNow = { waits: false };
const isFree = (share: Share, account: string) =>
  share.take(account, refusedNow).then(
    holding => {
      holding.giveBack();
      return true;
    },
    () => false,
  );

test('an account has its places once over two processes, and what one gives back the other finds', async () => {
  const [one, two] = [await startProcess(), await startProcess()];
  const account = randomUUID();
  const first = await one.share.take(account);
  await two.share.take(account);
  expect([await isFree(one.share, account), await isFree(two.share, account)]).toEqual([false, false]);
  expect(await isFree(two.share, randomUUID())).toBe(true);

  const waiting = two.share.take(account);
  await waitUntil('it waits', async () => two.share.waiting === 1);
  first.giveBack();
  expect((await waiting).count).toBe(1);
  expect([one.share.inUse, two.share.inUse]).toEqual([0, 2]);
  expect([one.alone, two.alone]).toEqual([0, 0]);
});

test('never more than its places, however two processes ask, and everybody is served', async () => {
  const processes = [await startProcess({ perAccount: 3 }), await startProcess({ perAccount: 3 })];
  const account = randomUUID();
  let [running, most] = [0, 0];
  await Promise.all(
    Array.from({ length: 120 }, async (_, index) => {
      const holding = await processes[index % 2]!.share.take(account, { most: 1 + (index % 3) });
      running += holding.count;
      most = Math.max(most, running);
      await turn();
      running -= holding.count;
      holding.giveBack();
    }),
  );
  expect([running, most]).toEqual([0, 3]);
});

test('places of a process that dies are free within seconds, those of one that lives stay', async () => {
  const [dying, living] = [await startProcess(), await startProcess()];
  const account = randomUUID();
  await living.share.take(account);
  await dying.share.take(account);
  dying.redis.disconnect();
  const start = performance.now();
  // Waits for the lease of the one, through several leases of the other.
  (await living.share.take(account)).giveBack();
  expect(performance.now() - start).toBeGreaterThan(leaseMs / 2);
  const until = performance.now() + 3 * leaseMs;
  await waitUntil('some leases are over', async () => performance.now() > until);
  await living.share.take(account);
  expect(await isFree(living.share, account)).toBe(false);
});

test('more than one place is given only while nobody needs them', async () => {
  const { share } = await startProcess({ perAccount: 4 });
  const account = randomUUID();
  const greedy = await share.take(account, { most: 6 });
  expect(greedy.count).toBe(4);
  const next = share.take(account, { most: 6 });
  await waitUntil('it waits', async () => share.isWanted(account));
  greedy.giveBackOne();
  expect((await next).count).toBe(1);
  expect(greedy.count).toBe(3);
});

test('who waits for a place of its own account keeps no other account from having several', async () => {
  const { share } = await startProcess({ perAccount: 4, inAll: 10 });
  const [busy, quiet] = [randomUUID(), randomUUID()];
  await share.take(busy, { most: 4 });
  for (let n = 0; n < 3; n++) void share.take(busy).catch(() => undefined);
  await waitUntil('they wait', async () => share.waiting === 3);
  expect((await share.take(quiet, { most: 6 })).count).toBe(4);
});

test('a full process serves accounts in turns, whoever came first', async () => {
  const { share } = await startProcess({ perAccount: 2, inAll: 2 });
  const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()];
  const held = [await share.take(a), await share.take(a)];
  const served: string[] = [];
  const done = [a, a, a, a, b, b, c].map(async account => {
    const holding = await share.take(account);
    served.push(account);
    held.push(holding);
  });
  await waitUntil('all wait', async () => share.waiting === 7);
  while (served.length < 7) {
    held.shift()?.giveBack();
    const before = served.length;
    await waitUntil('the next is served', async () => served.length > before || held.length === 0);
  }
  await Promise.all(done);
  const names = served.map(account => (account === a ? 'a' : account === b ? 'b' : 'c'));
  expect(names.slice(0, 3).sort()).toEqual(['a', 'b', 'c']);
  expect(names.slice(3, 5).sort()).toEqual(['a', 'b']);
});

test('the line is bounded for an account and in all, and over it all are refused at once', async () => {
  const room = { inAll: 3, perAccount: 2 };
  const process = await startProcess({ perAccount: 1, room });
  const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()];
  for (const account of [a, b, c]) await process.share.take(account);
  const tries = [a, a, a, b, b, c].map(account => process.share.take(account));
  const outcomes = tries.map(attempt =>
    attempt.then(
      () => 'served',
      (error: AppError) => error.code,
    ),
  );
  // The first of c took the room of the second of a.
  expect(await Promise.all([outcomes[1], outcomes[2], outcomes[4]])).toEqual(
    Array(3).fill('rate_limit_exceeded'),
  );
  expect([process.share.waiting, process.refused]).toEqual([3, 3]);
});

test('the first of an account that finds the line full displaces the last of the account with the most', async () => {
  const process = await startProcess({ perAccount: 1, inAll: 2, room: { inAll: 3, perAccount: 3 } });
  const [a, b, late, later] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const [first] = [await process.share.take(a), await process.share.take(b)];
  const outcomes: string[] = [];
  const take = (name: string, account: string) =>
    process.share.take(account).then(
      () => outcomes.push(`${name} served`),
      (error: AppError) => outcomes.push(`${name}: ${error.message}`),
    );
  for (const name of ['a1', 'a2', 'a3']) void take(name, a);
  await waitUntil('the line is full', async () => process.share.waiting === 3);
  void take('late', late);
  await waitUntil('one is displaced', async () => outcomes.length === 1);
  // Its account has all of its own places.
  expect(outcomes).toEqual(['a3: All of the account']);
  void take('later', later);
  await waitUntil('another is displaced', async () => outcomes.length === 2);
  await take('last', randomUUID());
  expect(outcomes.slice(1)).toEqual(['a2: All of the account', 'last: All of the process']);
  first!.giveBack();
  await waitUntil('one that waits is served', async () => outcomes.length === 4);
  expect(process.refused).toBe(3);
});

test('who does not wait for a place is not counted as refused', async () => {
  const process = await startProcess({ perAccount: 1 });
  const account = randomUUID();
  await process.share.take(account);
  await expect(process.share.take(account, refusedNow)).rejects.toThrow('All of the account');
  expect(process.refused).toBe(0);
});

test('who waited too long is refused, and who hangs up leaves the line', async () => {
  const process = await startProcess({ perAccount: 1, waitMs: 100 });
  const account = randomUUID();
  const holding = await process.share.take(account);
  await expect(process.share.take(account)).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  const patient = await startProcess({ perAccount: 1 });
  const gone = new AbortController();
  const left = patient.share.take(account, { signal: gone.signal });
  await waitUntil('it waits', async () => patient.share.waiting === 1);
  gone.abort(new Error('hung up'));
  await expect(left).rejects.toThrow('hung up');
  expect([patient.share.waiting, patient.share.inUse, patient.refused]).toEqual([0, 0, 0]);
  holding.giveBack();
  await waitUntil('the place is free', () => isFree(patient.share, account));
});

test('without Redis a process counts by itself within 50 ms, and with it again all count together', async () => {
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
  // The best of some: a machine that is held up makes any one of them late.
  const [waited, bare] = [[], []] as [number[], number[]];
  for (let n = 0; n < 5; n++) {
    const start = performance.now();
    const timer = new Promise<number>(resolve =>
      setTimeout(() => resolve(performance.now() - start), sizes.timeoutMs),
    );
    (await far.share.take(randomUUID())).giveBack();
    waited.push(performance.now() - start);
    bare.push(await timer);
  }
  expect(Math.min(...waited)).toBeLessThan(Math.min(...bare) + 10);
  const held: Holding[] = [await far.share.take(account)];
  held.push(await far.share.take(account));
  expect(await isFree(far.share, account)).toBe(false);
  expect(far.alone).toBeGreaterThanOrEqual(2);

  proxy.silent = false;
  proxy.cut();
  // What the process took alone is counted with the others once it is renewed.
  await waitUntil('all four are counted', async () => (await near.redis.zcard(keyOf(account))) === 4);
  for (const holding of held) holding.giveBack();
  await waitUntil('two are left', async () => (await near.redis.zcard(keyOf(account))) === 2);
  expect(await isFree(far.share, account)).toBe(false);
});

const keyOf = (account: string) => `signpost:{${account}}:tests`;
