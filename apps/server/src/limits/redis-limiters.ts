import { withTimeout } from '../kernel/running/with-timeout.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { createAttempts } from './attempts.ts';
import { createCreationLimiter } from './creation-limiter.ts';
import { type Limiters, maxCounted } from './limiters.ts';
import { createRateLimiter, tokenKey } from './rate-limiter.ts';
import { createConcurrencySlots } from './shares/concurrency.ts';
import { createSlidingWindows } from './sliding-windows.ts';
import { createWeightedWindows } from './weighted-windows.ts';

type Parts = {
  readonly redis: RedisClient;
  readonly timeoutMs: number;
  /** Opens a connection that waits until Redis is there, for what must not be counted by one process alone. */
  readonly openPatient: (timeoutMs: number) => RedisClient;
};

/** Attempts wait longer than calls: they are refused if Redis does not answer. */
const attemptTimeoutMs = 1_000;

export function createRedisLimiters({ redis, timeoutMs, openPatient }: Parts): Limiters {
  return {
    calls: ({ windowMs, onAlone }) =>
      createRateLimiter({
        redis,
        windows: createSlidingWindows({ windowMs, maxKeys: maxCounted.calls }),
        windowMs,
        timeoutMs,
        onAway: onAlone,
      }),
    creations: ({ windowMs, onAlone, kind = 'creations' }) =>
      createCreationLimiter({
        redis,
        kind,
        windows: createWeightedWindows({ windowMs, maxKeys: maxCounted.creations }),
        windowMs,
        timeoutMs,
        onAway: onAlone,
      }),
    slots: ({ kind, perAccount, onAlone }) =>
      createConcurrencySlots({ redis, kind, perAccount, timeoutMs, onAway: onAlone }),
    attempts: secret =>
      createAttempts({ redis: openPatient(attemptTimeoutMs), secret, timeoutMs: attemptTimeoutMs }),
    endToken: accountId => withTimeout(10 * timeoutMs, redis.del(tokenKey(accountId))),
  };
}
