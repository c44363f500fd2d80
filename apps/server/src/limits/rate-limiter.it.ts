import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { redisUrl } from '@signpost/testing/database.ts';
import type { Order, Outcome, Pattern } from '@signpost/testing/limiter-process.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../kernel/caller.ts';
import { createRedis, type RedisClient } from '../platform/redis/redis.ts';
import { createLocalLimiters } from './local-limiters.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { createRedisLimiters } from './redis-limiters.ts';
import { createSlidingWindows } from './sliding-windows.ts';

const windowMs = 300;
const patternsPerPlan = ciScale(1000, 150);
const processes: ChildProcess[] = [];

beforeAll(async () => {
  for (let i = 0; i < 4; i++) {
    const child = fork(new URL('../../../../packages/testing/src/limiter-process.ts', import.meta.url), {
      env: { ...process.env, WINDOW_MS: String(windowMs), REDIS_URL: redisUrl },
    });
    processes.push(child);
    await once(child, 'message');
  }
});
afterAll(() => {
  for (const child of processes) child.disconnect();
});

async function perform(child: ChildProcess, order: Order): Promise<Outcome> {
  const ended = new AbortController();
  child.once('exit', () => ended.abort(new Error('a process of the test ended')));
  const answer = once(child, 'message', { signal: ended.signal });
  child.send(order);
  return (await answer)[0] as Outcome;
}

/** A few bursts and a trickle over three windows: somewhat more calls than the limit allows. */
const arrivals = (limit: number) =>
  fc
    .tuple(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 3 * windowMs }), fc.integer({ min: 1, max: limit })), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.array(fc.integer({ min: 0, max: 3 * windowMs }), { maxLength: Math.ceil(limit / 2) }),
    )
    .map(([bursts, trickle]) => [
      ...bursts.flatMap(([at, size]) => Array<number>(size).fill(at)),
      ...trickle,
    ]);

describe('rate limit', () => {
  test.each([
    ['free', 10],
    ['pro', 60],
    ['business', 120],
    ['enterprise', 300],
  ])(
    'never more than the limit of %s (%i) in any window, over four processes, however the calls arrive',
    async (_plan, limit) => {
      const all = fc
        .sample(arrivals(limit), patternsPerPlan)
        .map(arrivalsMs => ({ account: randomUUID(), limit, arrivalsMs }));
      const share = (one: number): Pattern[] =>
        all.map(pattern => ({
          ...pattern,
          arrivalsMs: pattern.arrivalsMs.filter((_, i) => i % processes.length === one),
        }));
      const atOnce = Math.ceil(12_000 / limit);
      const outcomes = await Promise.all(
        processes.map((child, i) => perform(child, { patterns: share(i), atOnce })),
      );

      let passed = 0;
      for (const { account } of all) {
        const times = outcomes.flatMap(outcome => outcome.passedUs[account] ?? []).sort((a, b) => a - b);
        passed += times.length;
        for (let i = limit; i < times.length; i++) {
          expect(times[i]! - times[i - limit]!, account).toBeGreaterThanOrEqual(windowMs * 1000);
        }
      }
      const refused = outcomes.reduce((sum, outcome) => sum + outcome.refused, 0);
      expect(outcomes.map(outcome => outcome.alone)).toEqual([0, 0, 0, 0]);
      expect(passed + refused).toBe(all.reduce((sum, pattern) => sum + pattern.arrivalsMs.length, 0));
      // Without refusals the patterns would have shown nothing.
      expect(refused).toBeGreaterThan(patternsPerPlan / 10);
    },
    180_000,
  );
});

const callerOf = (requestsPerMinute: number): Pick<Caller, 'accountId' | 'mode' | 'plan'> => ({
  accountId: randomUUID(),
  mode: 'live',
  plan: {
    name: 'x',
    requestsPerMinute,
    codeQuota: null,
    quotaScope: 'pool',
    webhooks: false,
    sessionCodes: null,
    testCodes: null,
    creationsPerMinute: null,
  },
});

describe.each(['Redis', 'one process'] as const)('counted in %s', where => {
  let redis: RedisClient;
  beforeAll(async () => {
    redis = createRedis({ redisUrl, redisTimeoutMs: 1000 }, () => {});
    await once(redis, 'ready');
  });
  afterAll(() => redis.disconnect());

  const limiterOf = (window: number) =>
    where === 'one process'
      ? createLocalLimiters().calls({ windowMs: window, onAlone: () => undefined })
      : createRateLimiter({
          redis,
          windows: createSlidingWindows({ windowMs: window, maxKeys: 10_000 }),
          windowMs: window,
          timeoutMs: 5000,
          onAway: error => {
            throw error;
          },
        });

  test('a client that sleeps Retry-After gets through, 1,000 times out of 1,000', async () => {
    const limiter = limiterOf(1500);
    const tries = fc.sample(
      fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 900 })),
      1000,
    );
    const results = await Promise.all(
      tries.map(async ([limit, pauseMs]) => {
        const caller = callerOf(limit);
        await limiter.take(caller);
        await sleep(pauseMs);
        let { decision } = await limiter.take(caller);
        while (decision.allowed) ({ decision } = await limiter.take(caller));
        expect(decision.remaining).toBe(0);
        await sleep(decision.retryAfterSeconds * 1000);
        return (await limiter.take(caller)).decision.allowed;
      }),
    );
    expect(results.filter(passed => passed)).toHaveLength(1000);
  });

  test('the headers count down and say when the whole limit is free', async () => {
    const limiter = limiterOf(60_000);
    const caller = callerOf(3);
    const nowSeconds = Date.now() / 1000;
    for (const remaining of [2, 1, 0]) {
      const { decision } = await limiter.take(caller);
      expect(decision).toMatchObject({ allowed: true, limit: 3, remaining, retryAfterSeconds: 0 });
      expect(decision.resetAtSeconds).toBeGreaterThanOrEqual(nowSeconds + 59);
      expect(decision.resetAtSeconds).toBeLessThanOrEqual(nowSeconds + 65);
    }
    const { decision } = await limiter.take(caller);
    expect(decision).toMatchObject({ allowed: false, remaining: 0 });
    expect(decision.retryAfterSeconds).toBeGreaterThan(55);
    expect(decision.retryAfterSeconds).toBeLessThanOrEqual(60);
  });

  test('live and test calls have windows of their own', async () => {
    const limiter = limiterOf(60_000);
    const caller = callerOf(1);
    expect((await limiter.take(caller)).decision.allowed).toBe(true);
    expect((await limiter.take(caller)).decision.allowed).toBe(false);
    expect((await limiter.take({ ...caller, mode: 'test' })).decision.allowed).toBe(true);
  });

  test('a limit that was lowered holds at once, with the right time to wait', async () => {
    const limiter = limiterOf(60_000);
    const caller = callerOf(10);
    for (let i = 0; i < 10; i++) await limiter.take(caller);
    const { decision } = await limiter.take({ ...caller, plan: { ...caller.plan, requestsPerMinute: 2 } });
    expect(decision).toMatchObject({ allowed: false, limit: 2, remaining: 0 });
  });

  test('a token ends when it is told to, and only that of its account', async () => {
    const limiters =
      where === 'one process'
        ? createLocalLimiters()
        : createRedisLimiters({ redis, timeoutMs: 1000, openPatient: () => redis });
    const limiter = limiters.calls({ windowMs: 60_000, onAlone: () => undefined });
    const [caller, other] = [callerOf(10), callerOf(10)];
    const tokenOf = async (of: typeof caller) => (await limiter.take(of)).token;
    const [before, others] = [await tokenOf(caller), await tokenOf(other)];
    expect(await tokenOf(caller)).toBe(before);
    await limiters.endToken(caller.accountId);
    expect(await tokenOf(caller)).not.toBe(before);
    expect(await tokenOf(other)).toBe(others);
  });
});

describe('one process', () => {
  test('however the calls arrive, no window has more than the limit', async () => {
    const [limit, windowMs] = [30, 300];
    const limiter = createLocalLimiters().calls({ windowMs, onAlone: () => undefined });
    let refused = 0;
    await Promise.all(
      fc.sample(arrivals(limit), patternsPerPlan).map(async arrivalsMs => {
        const caller = callerOf(limit);
        const passedUs: number[] = [];
        await Promise.all(
          arrivalsMs.map(async atMs => {
            await sleep(atMs);
            const { decision, decidedAtUs } = await limiter.take(caller);
            if (decision.allowed) passedUs.push(decidedAtUs!);
            else refused++;
          }),
        );
        for (let i = limit; i < passedUs.length; i++)
          expect(passedUs[i]! - passedUs[i - limit]!).toBeGreaterThanOrEqual(windowMs * 1000);
      }),
    );
    // Without refusals the patterns would have shown nothing.
    expect(refused).toBeGreaterThan(patternsPerPlan / 10);
  });

  test('a Redis that hangs is not waited for longer than 50 ms, and the process counts by itself', async () => {
    let away = 0;
    const hanging = {
      defineCommand() {},
      signpostTakeCall: () => new Promise(() => {}),
    } as unknown as RedisClient;
    const limiter = createRateLimiter({
      redis: hanging,
      windows: createSlidingWindows({ windowMs: 60_000, maxKeys: 10 }),
      windowMs: 60_000,
      timeoutMs: 40,
      onAway: () => {
        away++;
      },
    });
    const caller = callerOf(2);
    const start = performance.now();
    const bare = sleep(40).then(() => performance.now() - start);
    const { decision, token } = await limiter.take(caller);
    const waited = performance.now() - start;
    expect(waited).toBeLessThan((await bare) + 20);
    expect([decision.allowed, token, away]).toEqual([true, null, 1]);
    await limiter.take(caller);
    expect((await limiter.take(caller)).decision.allowed).toBe(false);
  });
});
