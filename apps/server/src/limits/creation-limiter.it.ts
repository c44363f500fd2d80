import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { redisUrl } from '@signpost/testing/database.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Mode } from '../kernel/caller.ts';
import { createRedis, type RedisClient } from '../platform/redis/redis.ts';
import { createCreationLimiter } from './creation-limiter.ts';
import { createLocalLimiters } from './local-limiters.ts';
import { createWeightedWindows } from './weighted-windows.ts';

let connections: RedisClient[];
beforeAll(async () => {
  connections = [1, 2].map(() => createRedis({ redisUrl, redisTimeoutMs: 1000 }, () => {}));
  await Promise.all(connections.map(redis => once(redis, 'ready')));
});
afterAll(() => {
  for (const redis of connections) redis.disconnect();
});

const limiterOn = (redis: RedisClient, windowMs: number, timeoutMs = 30_000) =>
  createCreationLimiter({
    redis,
    windows: createWeightedWindows({ windowMs, maxKeys: 1000 }),
    windowMs,
    timeoutMs,
    onAway: error => {
      if (timeoutMs > 1000) throw error;
    },
  });
const newCaller = (): { accountId: string; mode: Mode } => ({ accountId: randomUUID(), mode: 'live' });

/** Two limiters over the same counts: of two processes in Redis, or one that is alone. */
const places = {
  Redis: (windowMs: number) => connections.map(redis => limiterOn(redis, windowMs)),
  'one process': (windowMs: number) => {
    const limiter = createLocalLimiters().creations({ windowMs, onAlone: () => undefined });
    return [limiter, limiter];
  },
} as const;
const placeNames = ['Redis', 'one process'] as const;

test.each(placeNames)(
  '%s: no window sees more than the limit, however heavy calls arrive and however much of them is used',
  async place => {
    const windowMs = 300;
    const limit = 50;
    const limiters = places[place](windowMs);
    const call = fc.record({
      atMs: fc.integer({ min: 0, max: 3 * windowMs }),
      weight: fc.integer({ min: 1, max: limit }),
      made: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    const patterns = fc.sample(fc.array(call, { minLength: 30, maxLength: 60 }), ciScale(300, 50));
    let refused = 0;
    await Promise.all(
      patterns.map(async calls => {
        const caller = newCaller();
        const passed: { atUs: number; made: number }[] = [];
        await Promise.all(
          calls.map(async ({ atMs, weight, made: share }, index) => {
            await sleep(atMs);
            const creation = await limiters[index % 2]!.take(caller, weight, limit);
            if (!creation.allowed) {
              refused++;
              expect(creation.possible).toBeLessThan(weight);
              return;
            }
            const made = Math.floor(weight * share);
            passed.push({ atUs: creation.decidedAtUs!, made });
            await creation.confirm(made);
          }),
        );
        for (const { atUs } of passed) {
          const inWindow = passed.filter(one => one.atUs >= atUs && one.atUs < atUs + windowMs * 1000);
          expect(inWindow.reduce((sum, one) => sum + one.made, 0)).toBeLessThanOrEqual(limit);
        }
      }),
    );
    // Without refusals the patterns would have shown nothing.
    expect(refused).toBeGreaterThan(patterns.length);
  },
);

test.each(placeNames)(
  '%s: who sleeps as long as was said gets through, 300 times out of 300',
  async place => {
    const limiter = places[place](1500)[0]!;
    const tries = fc.sample(
      fc.tuple(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 0, max: 900 }),
      ),
      300,
    );
    const passed = await Promise.all(
      tries.map(async ([first, weight, pauseMs]) => {
        const caller = newCaller();
        await limiter.take(caller, first, 20);
        await sleep(pauseMs);
        let creation = await limiter.take(caller, weight, 20);
        while (creation.allowed) creation = await limiter.take(caller, weight, 20);
        await sleep(creation.retryAfterSeconds * 1000);
        return (await limiter.take(caller, weight, 20)).allowed;
      }),
    );
    expect(passed.filter(allowed => allowed)).toHaveLength(300);
  },
);

test.each(placeNames)(
  '%s: a call is told what is possible and how long to wait, and what is not used comes back',
  async place => {
    const limiter = places[place](60_000)[0]!;
    const caller = newCaller();
    const first = await limiter.take(caller, 80, 100);
    expect(await limiter.take(caller, 30, 100)).toEqual({
      allowed: false,
      possible: 20,
      retryAfterSeconds: 60,
    });
    if (!first.allowed) throw new Error('the first call was refused');
    await first.confirm(70);
    expect((await limiter.take(caller, 30, 100)).allowed).toBe(true);
    expect(await limiter.take(caller, 1, 100)).toMatchObject({ allowed: false, possible: 0 });
    expect((await limiter.take({ ...caller, mode: 'test' }, 100, 100)).allowed).toBe(true);
  },
);

test('a sum that Redis has forgotten is counted again', async () => {
  const [redis] = connections;
  const limiter = limiterOn(redis!, 60_000);
  const caller = newCaller();
  await limiter.take(caller, 60, 100);
  expect(await redis!.del(`signpost:{${caller.accountId}}:creations:live:total`)).toBe(1);
  expect(await limiter.take(caller, 41, 100)).toMatchObject({ allowed: false, possible: 40 });
  expect((await limiter.take(caller, 40, 100)).allowed).toBe(true);
});

test('a sum whose entries Redis has forgotten counts for nothing', async () => {
  const [redis] = connections;
  const limiter = limiterOn(redis!, 60_000);
  const caller = newCaller();
  await limiter.take(caller, 50, 50);
  await redis!.del(`signpost:{${caller.accountId}}:creations:${caller.mode}`);
  expect(await limiter.take(caller, 50, 50)).toMatchObject({ allowed: true });
});

test.each(placeNames)(
  '%s: a limit that was lowered holds at once, with the right time to wait',
  async place => {
    const limiter = places[place](60_000)[0]!;
    const caller = newCaller();
    for (let i = 0; i < 5; i++) await limiter.take(caller, 20, 100);
    expect(await limiter.take(caller, 5, 10)).toEqual({ allowed: false, possible: 0, retryAfterSeconds: 60 });
  },
);

test('while Redis is silent each process counts by itself, with what it let through before', async () => {
  const away = createRedis({ redisUrl, redisTimeoutMs: 1000 }, () => {});
  await once(away, 'ready');
  const limiter = limiterOn(away, 60_000, 1000);
  const caller = newCaller();
  await limiter.take(caller, 80, 100);
  away.disconnect();
  expect(await limiter.take(caller, 30, 100)).toMatchObject({ allowed: false, possible: 20 });
  const creation = await limiter.take(caller, 20, 100);
  expect(creation).toMatchObject({ allowed: true, decidedAtUs: null });
  if (creation.allowed) await creation.confirm(5);
  expect((await limiter.take(caller, 15, 100)).allowed).toBe(true);
  expect((await limiter.take(caller, 1, 100)).allowed).toBe(false);
});
