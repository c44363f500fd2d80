import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { redisUrl } from '@signpost/testing/database.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRedis, type RedisClient } from '../platform/redis.ts';
import { createCacheInvalidator } from './cache-invalidator.ts';
import { Lease, protocol } from './lease.ts';
import { createLeaseRegistry, type Holder, type RedisLeaseRegistry } from './lease-registry.ts';

const leaseMs = 600;
const renewEveryMs = 100;
let redis: RedisClient;
let registry: RedisLeaseRegistry;
let edge: ReturnType<typeof createEdge>;
const leases: Lease[] = [];

const openRegistry = (key = `signpost:test:${randomUUID()}`) =>
  createLeaseRegistry(redis, { leaseMs, timeoutMs: 1000, key });

beforeAll(async () => {
  redis = createRedis({ redisUrl, redisTimeoutMs: 1000 }, () => {});
  await once(redis, 'ready');
  // A registry for this file alone: an installation has one.
  registry = openRegistry();
  // It is new, and no edit has waited yet until it was older than a lease.
  await createCacheInvalidator({ ...parts(), broadcast: repliesFrom([]) }).invalidate(['menu']);
});
afterAll(() => redis.disconnect());

function createEdge(overrides: Partial<RedisLeaseRegistry> = {}) {
  const id = randomUUID();
  const subscription = { isUp: true, losses: 0 };
  const lease = new Lease({
    id,
    registry: { ...registry, ...overrides },
    subscription: { isSubscribed: () => subscription.isUp, losses: () => subscription.losses },
    leaseMs,
    renewEveryMs,
  });
  lease.start();
  leases.push(lease);
  return { id, subscription, lease };
}

/** Its requests to Redis hang: it serves from memory for as long as its lease lasts. */
async function createStuckEdge() {
  const stuck = createEdge({ renew: () => sleep(2 * leaseMs).then(() => false) });
  await waitUntil('it has a lease', async () => stuck.lease.isGood());
  return stuck;
}

const leasesOf = async (id: string): Promise<Holder[]> =>
  (await registry.read()).holders.filter(({ process }) => process === id);

const repliesFrom = (ids: readonly string[]) => ({
  request(_subject: string, _data: string, onReply: (data: string) => void) {
    for (const id of ids) setImmediate(() => onReply(id));
    return { stop() {} };
  },
});

const parts = () => ({ registry, leaseMs, timeoutMs: 50, onSlow: () => {} });

beforeEach(async () => {
  edge = createEdge();
  await waitUntil('the lease is good', async () => edge.lease.isGood());
});
afterEach(async () => {
  for (const lease of leases.splice(0)) await lease.stop();
});

describe('a lease', () => {
  test('is renewed while invalidations are received, and no other process sweeps it', async () => {
    const second = createEdge();
    const { epoch } = edge.lease;
    await sleep(3 * leaseMs);
    expect(edge.lease.isGood()).toBe(true);
    expect(edge.lease.epoch).toBe(epoch);
    for (const { id } of [edge, second]) expect(await leasesOf(id)).toHaveLength(1);
  });

  test('is not good from the moment the subscription is lost, and the next lease begins a new epoch', async () => {
    const { epoch } = edge.lease;
    expect(edge.lease.timesLost).toBe(0);
    edge.subscription.isUp = false;
    expect(edge.lease.isGood()).toBe(false);
    edge.subscription.losses++;
    edge.subscription.isUp = true;
    expect(edge.lease.isGood()).toBe(false);
    await waitUntil('there is a new lease', async () => edge.lease.isGood());
    expect(edge.lease.epoch).toBeGreaterThan(epoch);
    expect(edge.lease.timesLost).toBe(1);
  });

  test('is given back when the subscription is lost, so that no edit waits for it', async () => {
    edge.subscription.isUp = false;
    await waitUntil('the registry has none', async () => (await leasesOf(edge.id)).length === 0);
  });

  test('of a process that has died is swept by the others, revoked or not', async () => {
    await registry.join('gone/1', '');
    await registry.join('gone/2', '');
    await registry.revoke([{ name: 'gone/2' }]);
    expect(await leasesOf('gone')).toHaveLength(2);
    await waitUntil('they are swept', async () => (await leasesOf('gone')).length === 0);
  });

  test('states the protocol of its process; without one it is protocol 1', async () => {
    expect(await leasesOf(edge.id)).toMatchObject([{ protocol }]);
    expect(protocol).toBeGreaterThan(1);
    await registry.join('older/1', '');
    expect(await leasesOf('older')).toMatchObject([{ process: 'older', protocol: 1 }]);
  });

  test('ends here before it ends in the registry', async () => {
    const stuck = await createStuckEdge();
    while (stuck.lease.isGood()) await sleep(1);
    expect(await leasesOf(stuck.id)).toHaveLength(1);
  });

  test('that was revoked is not renewed; the process takes a new one', async () => {
    const { epoch } = edge.lease;
    await registry.revoke(await leasesOf(edge.id));
    await waitUntil('it has joined again', async () => edge.lease.epoch > epoch && edge.lease.isGood());
    expect(await leasesOf(edge.id)).toHaveLength(1);
  });

  test('that was revoked is not brought back by a request that reaches Redis late', async () => {
    let late: (() => Promise<unknown>) | null = null;
    const slow = createEdge({
      join(name, former) {
        if (late) return registry.join(name, former);
        late = () => registry.join(name, former);
        return Promise.reject(new Error('no answer in time'));
      },
    });
    await waitUntil('it has a lease', async () => slow.lease.isGood());
    const { epoch } = slow.lease;
    await registry.revoke(await leasesOf(slow.id));
    await late!();
    await waitUntil('it has joined again', async () => slow.lease.epoch > epoch);
  });

  test('whose renewal is answered only after it has ended is not good again', async () => {
    // Requested while the lease is good, answered after its end, and before the end that a renewal would give it.
    const slow = createEdge({
      renew: async (...args) => {
        const renewed = await registry.renew(...args);
        await sleep(leaseMs - renewEveryMs - 50);
        return renewed;
      },
    });
    await waitUntil('it has a lease', async () => slow.lease.isGood());
    const { epoch } = slow.lease;
    while (slow.lease.isGood()) await sleep(1);
    await waitUntil('it has a lease again', async () => slow.lease.isGood());
    expect(slow.lease.epoch).toBeGreaterThan(epoch);
  });

  test('is given back on stopping, which does not count as a loss', async () => {
    await edge.lease.stop();
    expect(edge.lease.timesLost).toBe(0);
    expect(edge.lease.isGood()).toBe(false);
    expect(await leasesOf(edge.id)).toEqual([]);
  });
});

describe('a registry', () => {
  test('that is new is trusted once a process has known it for a whole lease', async () => {
    const key = `signpost:test:${randomUUID()}`;
    const [reader, other] = [openRegistry(key), openRegistry(key)];
    const registry = await reader.read();
    expect(registry.unsettledMs).toBeGreaterThan(leaseMs - 100);
    await waitUntil(
      'it is old enough for the process that has seen it',
      async () => (await reader.read()).unsettledMs === 0,
    );
    expect((await other.read()).unsettledMs).toBeGreaterThan(0);
    await reader.settle(registry);
    expect((await openRegistry(key).read()).unsettledMs).toBe(0);
  });

  test('is settled by the processes that renew their leases in it, for edits by other processes', async () => {
    const key = `signpost:test:${randomUUID()}`;
    createEdge(openRegistry(key));
    await waitUntil('it is settled', async () => (await openRegistry(key).read()).unsettledMs === 0);
  });

  test('is not settled by a process that knows an earlier one', async () => {
    const key = `signpost:test:${randomUUID()}`;
    const reader = openRegistry(key);
    const before = await reader.read();
    const generation = await reader.join('edge/1', '');
    await redis.del(key);
    await reader.settle(before);
    expect(await reader.renew('edge/1', generation, leaseMs)).toBe(false);
    expect((await openRegistry(key).read()).unsettledMs).toBeGreaterThan(0);
  });
});

describe('an edit', () => {
  const timed = async (invalidator: { invalidate(codes: string[]): Promise<void> }) => {
    const start = performance.now();
    await invalidator.invalidate(['menu']);
    return performance.now() - start;
  };

  test('is done when every holder of a lease has replied', async () => {
    const second = createEdge();
    await waitUntil('there are two', async () => second.lease.isGood());
    expect(
      await timed(createCacheInvalidator({ ...parts(), broadcast: repliesFrom([edge.id, second.id]) })),
    ).toBeLessThan(50);
  });

  test('revokes the lease of a silent process and waits it out, and the next edit need not wait', async () => {
    const stuck = await createStuckEdge();
    const silent: string[] = [];
    const broadcast = repliesFrom([edge.id]);
    const invalidator = createCacheInvalidator({ ...parts(), broadcast, onSlow: ids => silent.push(...ids) });
    const ms = await timed(invalidator);
    expect(silent).toEqual([stuck.id]);
    expect(ms).toBeGreaterThanOrEqual(leaseMs);
    expect(stuck.lease.isGood()).toBe(false);
    await stuck.lease.stop();
    expect(await timed(invalidator)).toBeLessThan(50);
  });

  test('also waits for a lease that another edit has just revoked: its process serves from memory until it has run out', async () => {
    const stuck = await createStuckEdge();
    await registry.revoke(await leasesOf(stuck.id));
    await createCacheInvalidator({ ...parts(), broadcast: repliesFrom([edge.id]) }).invalidate(['menu']);
    expect(stuck.lease.isGood()).toBe(false);
  });

  test('revokes all leases at once and waits them out where NATS cannot carry it', async () => {
    const { epoch } = edge.lease;
    const invalidator = createCacheInvalidator({
      ...parts(),
      timeoutMs: 60_000,
      broadcast: { request: () => null },
    });
    expect(await timed(invalidator)).toBeLessThan(3 * leaseMs);
    expect(edge.lease.epoch).toBeGreaterThan(epoch);
  });

  test('without Redis waits for the length of a lease', async () => {
    const away = { ...registry, read: () => Promise.reject(new Error('away')) };
    expect(
      await timed(createCacheInvalidator({ ...parts(), registry: away, broadcast: repliesFrom([]) })),
    ).toBeGreaterThanOrEqual(leaseMs - 5);
  });

  test('reads the registry as soon as Redis answers again: a process may have renewed its lease meanwhile', async () => {
    const { epoch } = edge.lease;
    let tries = 0;
    const slow = {
      ...registry,
      read: () => (++tries < 5 ? Promise.reject(new Error('slow')) : registry.read()),
    };
    await createCacheInvalidator({ ...parts(), registry: slow, broadcast: repliesFrom([]) }).invalidate([
      'menu',
    ]);
    expect(tries).toBe(5);
    expect(edge.lease.epoch).toBeGreaterThan(epoch);
  });

  test('fails where a silent process keeps its lease', async () => {
    const readOnly = { ...registry, revoke: () => Promise.reject(new Error('away')) };
    const invalidator = createCacheInvalidator({
      ...parts(),
      registry: readOnly,
      broadcast: repliesFrom([]),
    });
    await expect(invalidator.invalidate(['menu'])).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('retries the revocation while Redis is slow', async () => {
    const stuck = await createStuckEdge();
    let tries = 0;
    const slow = {
      ...registry,
      revoke: (leases: readonly Holder[]) =>
        ++tries < 3 ? Promise.reject(new Error('slow')) : registry.revoke(leases),
    };
    await timed(createCacheInvalidator({ ...parts(), registry: slow, broadcast: repliesFrom([edge.id]) }));
    expect(tries).toBe(3);
    expect(stuck.lease.isGood()).toBe(false);
  });
});
