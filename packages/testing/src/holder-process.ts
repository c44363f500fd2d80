import { randomUUID } from 'node:crypto';
import { createNats } from '../../../apps/server/src/platform/nats/nats.ts';
import { createRedis } from '../../../apps/server/src/platform/redis/redis.ts';
import { ChangeFeed } from '../../../apps/server/src/redirect/changes/change-feed.ts';
import { createChangeStream } from '../../../apps/server/src/redirect/changes/change-stream.ts';
import { Lease } from '../../../apps/server/src/redirect/changes/lease.ts';
import { createLeaseRegistry } from '../../../apps/server/src/redirect/changes/lease-registry.ts';

/**
 * Many redirect processes, as far as leases and changes go: each has its own lease, subscription and acknowledgements. They
 * share their connections, and serve nothing.
 */
const [count, leaseMs, renewEveryMs] = [Number(process.env.HOLDERS), 2000, 500];
const redis = createRedis({ redisUrl: process.env.REDIS_URL!, redisTimeoutMs: 1000 }, () => {}, {
  queueOffline: true,
});
const nats = createNats(process.env.NATS_URL!);
await nats.whenConnected(AbortSignal.timeout(10_000));

const holders = Array.from({ length: count }, () => {
  const processId = randomUUID();
  const changes = new ChangeFeed({
    nats,
    history: createChangeStream(nats, { replicas: 1, timeoutMs: leaseMs / 2 }),
    processId,
    handler: { invalidate: () => {}, applyStops: () => {} },
    readUnnumbered: async () => ({ keys: [], catchUpStops: async () => {} }),
  });
  const registry = createLeaseRegistry(redis, { leaseMs, timeoutMs: renewEveryMs });
  return { changes, lease: new Lease({ id: processId, registry, changes, leaseMs, renewEveryMs }) };
});
// Real processes do not renew all at the same moment.
for (const { lease } of holders) setTimeout(() => lease.start(), Math.random() * renewEveryMs);

export type HolderReport = { readonly held: number; readonly lost: number; readonly forgotten: number };

process.on('message', () => {
  const report: HolderReport = {
    held: holders.filter(({ lease }) => lease.isGood()).length,
    lost: holders.reduce((sum, { lease }) => sum + lease.timesLost, 0),
    forgotten: holders.reduce((sum, { changes }) => sum + changes.epoch - 1, 0),
  };
  process.send!(report);
});
process.once('disconnect', () => process.exit(0));
process.send!('ready');
