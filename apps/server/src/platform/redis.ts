import { Redis } from 'ioredis';
import type { Config } from '../config/config.ts';

export type RedisClient = Redis;

/**
 * A client that fails at once instead of queueing commands while Redis is unavailable: nearly every user of it can do
 * without, and must not wait. Those that cannot may queue until the connection stands (`queueOffline`).
 */
export function createRedis(
  config: Pick<Config, 'redisUrl' | 'redisTimeoutMs'>,
  onError: (error: Error) => void,
  { queueOffline = false }: { readonly queueOffline?: boolean } = {},
): RedisClient {
  const redis = new Redis(config.redisUrl, {
    enableOfflineQueue: queueOffline,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: config.redisTimeoutMs,
    connectTimeout: 1000,
    // Without it, a peer that vanished silently is waited for until TCP gives up, which takes minutes.
    socketTimeout: 1000,
    retryStrategy: attempt => Math.min(50 * attempt, 1000),
    enableAutoPipelining: true,
  });
  redis.on('error', onError);
  return redis;
}
