import { Redis } from 'ioredis';
import type { Config } from '../config.ts';

export type RedisClient = Redis;

/**
 * A client that fails at once instead of queueing while Redis is away: nearly everything that uses it can do
 * without, and must not wait. What cannot do without may wait for the first connection (`patient`).
 */
export function createRedis(
  config: Pick<Config, 'redisUrl' | 'redisTimeoutMs'>,
  onError: (error: Error) => void,
  { patient = false }: { readonly patient?: boolean } = {},
): RedisClient {
  const redis = new Redis(config.redisUrl, {
    enableOfflineQueue: patient,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: config.redisTimeoutMs,
    connectTimeout: 1000,
    // A peer that is gone without a word would be waited for until TCP gives up, which takes minutes.
    socketTimeout: 1000,
    retryStrategy: attempt => Math.min(50 * attempt, 1000),
    enableAutoPipelining: true,
  });
  redis.on('error', onError);
  return redis;
}
