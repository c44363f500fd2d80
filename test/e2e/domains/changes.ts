import type { Fixture } from '@signpost/testing/fixture.ts';
import { createDomains } from '../../../apps/server/src/domains/service.ts';
import { systemClock } from '../../../apps/server/src/kernel/clock.ts';
import { createIds } from '../../../apps/server/src/kernel/ids.ts';
import { createNats } from '../../../apps/server/src/platform/nats/nats.ts';
import { createRedis } from '../../../apps/server/src/platform/redis/redis.ts';
import { openLinks } from '../../../apps/server/src/roles/links.ts';

/** Changes of domains as the operator's commands make them, without a process for each. */
export async function openDomains({ env }: Pick<Fixture, 'env'>) {
  const redis = createRedis({ redisUrl: env.REDIS_URL!, redisTimeoutMs: 1000 }, () => {}, {
    queueOffline: true,
  });
  const nats = createNats(env.NATS_URL!);
  await nats.whenConnected(AbortSignal.timeout(10_000));
  const redirects = openLinks({ config: { scanLogReplicas: 1 }, redis, nats }, () => {});
  return {
    domains: createDomains({ ids: createIds(systemClock), clock: systemClock, redirects }),
    async close() {
      await nats.close();
      redis.disconnect();
    },
  };
}
