import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { redisUrl } from '@signpost/testing/database.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRedis, type RedisClient } from '../../platform/redis/redis.ts';
import { Acknowledgements, createAckTimes } from './acknowledgements.ts';
import type { ChangeNumber } from './change.ts';
import { createChangeNotifier } from './change-notifier.ts';
import type { ChangePublisher } from './change-publisher.ts';
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
  await editor({}).invalidate(['menu']);
});
afterAll(() => redis.disconnect());

function createEdge(overrides: Partial<RedisLeaseRegistry> = {}) {
  const id = randomUUID();
  const subscription = { isUp: true, losses: 0 };
  /** What it was asked for, in order; `applied` is a number of the stream `s`. */
  const caughtUp: string[] = [];
  const state = { applied: 0, fails: false };
  const lease = new Lease({
    id,
    registry: { ...registry, ...overrides },
    changes: {
      isSubscribed: () => subscription.isUp,
      losses: () => subscription.losses,
      isBehind: ({ n }) => n > state.applied,
      async catchUp(newest) {
        if (state.fails) throw new Error('away');
        caughtUp.push(newest ? `numbered up to ${newest.n}` : 'numbered');
        state.applied = Math.max(state.applied, newest?.n ?? 0);
      },
      async applyUnnumbered() {
        if (state.fails) throw new Error('away');
        const isRegistered = (await leasesOf(id)).length > 0;
        caughtUp.push(isRegistered ? 'unnumbered' : 'unnumbered too early');
      },
    },
    leaseMs,
    renewEveryMs,
  });
  lease.start();
  leases.push(lease);
  return { id, subscription, lease, caughtUp, state };
}

/** Its requests to Redis hang: it serves from memory for as long as its lease lasts. */
async function createStuckEdge() {
  const stuck = createEdge({ renew: () => sleep(2 * leaseMs).then(() => null) });
  await waitUntil('it has a lease', async () => stuck.lease.isGood());
  return stuck;
}

const leasesOf = async (id: string): Promise<Holder[]> =>
  (await registry.read()).holders.filter(({ process }) => process === id);

type Setup = {
  /** Who acknowledges every change. */
  readonly acknowledging?: readonly string[];
  readonly publisher?: ChangePublisher;
  readonly registry?: RedisLeaseRegistry;
  readonly onSlow?: (silent: readonly string[]) => void;
};

function editor({ acknowledging = [], ...overrides }: Setup) {
  const times = createAckTimes({ minMs: 50, maxMs: 50 });
  const acknowledgements = new Acknowledgements(times);
  let n = 0;
  const publisher: ChangePublisher = {
    async publish() {
      const number = ++n;
      for (const id of acknowledging) setImmediate(() => acknowledgements.add(id, number));
      return { n: number, newest: null, acknowledgements };
    },
  };
  return createChangeNotifier({ publisher, registry, leaseMs, times, onSlow: () => {}, ...overrides });
}

beforeEach(async () => {
  edge = createEdge();
  await waitUntil('the lease is good', async () => edge.lease.isGood());
});
afterEach(async () => {
  for (const lease of leases.splice(0)) await lease.stop();
});

async function timed(invalidator: { invalidate(codes: string[]): Promise<void> }): Promise<number> {
  const start = performance.now();
  await invalidator.invalidate(['menu']);
  return performance.now() - start;
}

describe('a lease', () => {
  test('is renewed while changes are received, and no other process sweeps it', async () => {
    const second = createEdge();
    const { term } = edge.lease;
    await sleep(3 * leaseMs);
    expect(edge.lease.isGood()).toBe(true);
    expect(edge.lease.term).toBe(term);
    for (const { id } of [edge, second]) expect(await leasesOf(id)).toHaveLength(1);
  });

  test('is not good from the moment the subscription is lost, and the next lease is another', async () => {
    const { term } = edge.lease;
    expect(edge.lease.timesLost).toBe(0);
    edge.subscription.isUp = false;
    expect(edge.lease.isGood()).toBe(false);
    edge.subscription.losses++;
    edge.subscription.isUp = true;
    expect(edge.lease.isGood()).toBe(false);
    await waitUntil('there is a new lease', async () => edge.lease.isGood());
    expect(edge.lease.term).toBeGreaterThan(term);
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
    await registry.leave('older/1');
  });

  test('begins with catching up: first what has no number, then what has one, and only once it is registered', async () => {
    const key = `signpost:test:${randomUUID()}`;
    const own = openRegistry(key);
    await own.read({ stream: 's', n: 7 });
    const { caughtUp, lease } = createEdge({ join: own.join, renew: own.renew, leave: own.leave });
    await waitUntil('it has a lease', async () => lease.isGood());
    expect(caughtUp.at(-1)).toBe('numbered up to 7');
    expect(edge.caughtUp).toEqual(['unnumbered', 'numbered']);
  });

  test('after a lost subscription is taken only once most of what was missed is applied', async () => {
    edge.subscription.losses++;
    await waitUntil('there is a new lease', async () => edge.lease.isGood());
    expect(edge.caughtUp.slice(2)).toEqual(['numbered', 'unnumbered', 'numbered']);
  });

  test('is not held where catching up fails, and no edit waits for it', async () => {
    await edge.lease.stop();
    const failing = createEdge();
    failing.state.fails = true;
    await sleep(3 * renewEveryMs);
    expect(failing.lease.isGood()).toBe(false);
    expect(await timed(editor({}))).toBeLessThan(200);
    failing.state.fails = false;
    await waitUntil('it has a lease', async () => failing.lease.isGood());
  });

  test('tells its process of a newer number with the next renewal', async () => {
    await registry.read({ stream: 's', n: 9 });
    await waitUntil('it has caught up', async () => edge.state.applied === 9);
    await registry.read({ stream: 's', n: 8 });
    await sleep(2 * renewEveryMs);
    expect(edge.caughtUp.filter(step => step === 'numbered up to 9')).toHaveLength(1);
    // Another stream has its own numbers.
    await registry.read({ stream: 't', n: 2 });
    expect((await registry.join('new/1', '')).newest).toEqual({ stream: 't', n: 2 });
    await registry.leave('new/1');
  });

  test('ends here before it ends in the registry', async () => {
    const stuck = await createStuckEdge();
    while (stuck.lease.isGood()) await sleep(1);
    expect(await leasesOf(stuck.id)).toHaveLength(1);
  });

  test('that was revoked is not renewed; the process takes a new one', async () => {
    const { term } = edge.lease;
    await registry.revoke(await leasesOf(edge.id));
    await waitUntil('it has joined again', async () => edge.lease.term > term && edge.lease.isGood());
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
    const { term } = slow.lease;
    await registry.revoke(await leasesOf(slow.id));
    await late!();
    await waitUntil('it has joined again', async () => slow.lease.term > term);
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
    const { term } = slow.lease;
    while (slow.lease.isGood()) await sleep(1);
    await waitUntil('it has a lease again', async () => slow.lease.isGood());
    expect(slow.lease.term).toBeGreaterThan(term);
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
    await reader.markSettled(registry);
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
    const { generation } = await reader.join('edge/1', '');
    await redis.del(key);
    await reader.markSettled(before);
    expect(await reader.renew('edge/1', generation, leaseMs)).toBeNull();
    expect((await openRegistry(key).read()).unsettledMs).toBeGreaterThan(0);
  });
});

describe('an edit', () => {
  test('is done when every holder of a lease has acknowledged', async () => {
    const second = createEdge();
    await waitUntil('there are two', async () => second.lease.isGood());
    expect(await timed(editor({ acknowledging: [edge.id, second.id] }))).toBeLessThan(50);
  });

  test('revokes the lease of a silent process and waits it out, and the next edit need not wait', async () => {
    const stuck = await createStuckEdge();
    const silent: string[] = [];
    const invalidator = editor({ acknowledging: [edge.id], onSlow: ids => silent.push(...ids) });
    const ms = await timed(invalidator);
    expect(silent).toEqual([stuck.id]);
    expect(ms).toBeGreaterThanOrEqual(leaseMs);
    expect(stuck.lease.isGood()).toBe(false);
    await stuck.lease.stop();
    expect(await timed(invalidator)).toBeLessThan(50);
  });

  test('is done as soon as a process acknowledges whose lease was revoked', async () => {
    const times = createAckTimes({ minMs: 50, maxMs: 50 });
    const acknowledgements = new Acknowledgements(times);
    const late = editor({
      publisher: { publish: async () => ({ n: 1, newest: null, acknowledgements }) },
      onSlow(ids) {
        for (const id of ids) setTimeout(() => acknowledgements.add(id, 1), 100);
      },
    });
    expect(await timed(late)).toBeLessThan(leaseMs);
  });

  test('also waits for a lease that another edit has just revoked: its process serves from memory until it has run out', async () => {
    const stuck = await createStuckEdge();
    await registry.revoke(await leasesOf(stuck.id));
    await editor({ acknowledging: [edge.id] }).invalidate(['menu']);
    expect(stuck.lease.isGood()).toBe(false);
  });

  test('does not wait again for a lease that it has revoked itself: it ends when it ends', async () => {
    const stuck = await createStuckEdge();
    const invalidator = editor({ acknowledging: [edge.id] });
    const first = invalidator.invalidate(['menu']);
    await waitUntil('it is revoked', async () => (await leasesOf(stuck.id)).some(lease => lease.isRevoked));
    const second = timed(invalidator);
    await first;
    expect(stuck.lease.isGood()).toBe(false);
    expect(await second).toBeLessThan(leaseMs + 50);
  });

  test('revokes all leases at once and waits them out where it cannot be numbered, and says so', async () => {
    const { term } = edge.lease;
    const unnumbered = editor({ publisher: { publish: async () => null } });
    const start = performance.now();
    expect(await unnumbered.number(['menu'])).toBe(false);
    expect(performance.now() - start).toBeLessThan(3 * leaseMs);
    expect(edge.lease.term).toBeGreaterThan(term);
    expect(await editor({ acknowledging: [edge.id] }).number(['menu'])).toBe(true);
  });

  test('without Redis waits for the length of a lease', async () => {
    const away = { ...registry, read: () => Promise.reject(new Error('away')) };
    expect(await timed(editor({ registry: away }))).toBeGreaterThanOrEqual(leaseMs - 5);
  });

  test('reads the registry as soon as Redis answers again: a process may have renewed its lease meanwhile', async () => {
    const { term } = edge.lease;
    let tries = 0;
    const slow = {
      ...registry,
      read: (newest?: ChangeNumber | null) =>
        ++tries < 5 ? Promise.reject(new Error('slow')) : registry.read(newest),
    };
    await editor({ registry: slow }).invalidate(['menu']);
    expect(tries).toBe(5);
    expect(edge.lease.term).toBeGreaterThan(term);
  });

  test('fails where a silent process keeps its lease', async () => {
    const readOnly = { ...registry, revoke: () => Promise.reject(new Error('away')) };
    await expect(editor({ registry: readOnly }).invalidate(['menu'])).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  test('retries the revocation while Redis is slow', async () => {
    const stuck = await createStuckEdge();
    let tries = 0;
    const slow = {
      ...registry,
      revoke: (leases: readonly Pick<Holder, 'name'>[]) =>
        ++tries < 3 ? Promise.reject(new Error('slow')) : registry.revoke(leases),
    };
    await timed(editor({ registry: slow, acknowledging: [edge.id] }));
    expect(tries).toBe(3);
    expect(stuck.lease.isGood()).toBe(false);
  });
});
