import { type Command, Redis } from 'ioredis';
import type { Config } from '../../config/config.ts';
import type { RoundTrips } from '../../kernel/running/round-trips.ts';

export type RedisClient = Redis;

type Options = {
  /** Whether commands wait until the connection stands, instead of failing at once. */
  readonly queueOffline?: boolean;
  /** Measures each command, and limits it by that instead of `redisTimeoutMs`. */
  readonly trips?: RoundTrips;
};

/** For connecting, and for each command of the handshake, however short the limit of other commands is. */
const connectTimeoutMs = 1000;

/**
 * A client that fails at once instead of queueing commands while Redis is unavailable: nearly every user of it can do
 * without, and must not wait. Those that cannot may queue until the connection stands (`queueOffline`).
 */
export function createRedis(
  config: Pick<Config, 'redisUrl' | 'redisTimeoutMs'>,
  onError: (error: Error) => void,
  { queueOffline = false, trips }: Options = {},
): RedisClient {
  const TimedRedis = timed(trips?.timeoutMs ?? (() => config.redisTimeoutMs), trips);
  const redis = new TimedRedis(config.redisUrl, {
    enableOfflineQueue: queueOffline,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: connectTimeoutMs,
    // Without it, a peer that vanished silently is waited for until TCP gives up, which takes minutes.
    socketTimeout: 1000,
    retryStrategy: attempt => Math.min(50 * attempt, 1000),
    enableAutoPipelining: true,
  });
  redis.on('error', onError);
  return redis;
}

/** The client's own limit is one number for all commands: a far Redis would not even get through the handshake. */
const timed = (limitMs: () => number, trips?: RoundTrips) =>
  class TimedRedis extends Redis {
    override sendCommand(command: Command, stream?: Parameters<Redis['sendCommand']>[1]): unknown {
      const isHandshake = this.status !== 'ready';
      command.setTimeout(isHandshake ? connectTimeoutMs : limitMs());
      if (trips && !isHandshake) measure(command, trips);
      return super.sendCommand(command, stream);
    }
  };

function measure({ promise }: Command, trips: RoundTrips): void {
  const sentMs = performance.now();
  promise.then(
    () => trips.observe(performance.now() - sentMs),
    (error: Error) => error.message === 'Command timed out' && trips.missed(),
  );
}
