import type { Config } from '../config/config.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Print } from '../kernel/print.ts';
import { createNats, type Nats } from '../platform/nats.ts';
import type { Database } from '../platform/postgres.ts';
import type { RedisClient } from '../platform/redis.ts';
import { type CacheInvalidator, createCacheInvalidator } from '../redirect/cache-invalidator.ts';
import { createInvalidationBroadcast } from '../redirect/invalidation-broadcast.ts';
import { createLeaseRegistry } from '../redirect/lease-registry.ts';
import type { StopNotifier } from '../stops/stop.ts';
import { leaseMs } from './redirect.ts';

/** Applies a change of links or stops on every redirect process. */
export type RedirectNotifier = CacheInvalidator & StopNotifier;

export const openLinks = (
  redis: RedisClient,
  nats: Nats,
  onSlow: (silent: readonly string[]) => void,
): RedirectNotifier =>
  createCacheInvalidator({
    broadcast: createInvalidationBroadcast(nats),
    registry: createLeaseRegistry(redis, { leaseMs, timeoutMs: leaseMs }),
    leaseMs,
    timeoutMs: 100,
    onSlow,
  });

/** What an operator's command works with. */
export type AdminEngines = {
  readonly config: Config;
  readonly db: Database;
  readonly redis: RedisClient;
  readonly clock: Clock;
};

/** Without NATS a change still applies once the leases of the redirect processes have expired. */
const natsTimeoutMs = 2000;

/** The same for a command, which opens its own connection to NATS. */
export async function withLinks<Result>(
  { config, redis }: AdminEngines,
  print: Print,
  work: (links: RedirectNotifier) => Promise<Result>,
): Promise<Result> {
  const nats = createNats(config.natsUrl);
  await nats.whenConnected(AbortSignal.timeout(natsTimeoutMs)).catch(() => {});
  const links = openLinks(redis, nats, silent =>
    print(`${silent.length} redirect processes do not answer. Waiting until their leases have expired.`),
  );
  try {
    return await work(links);
  } finally {
    await nats.close();
  }
}
