import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { redisUrl } from '../../../../test/support/database.ts';
import { waitUntil } from '../../../../tools/engines/wait.ts';
import { createRedis, type RedisClient } from '../platform/redis.ts';
import { createLease, type Lease, protocol } from './lease.ts';
import { createLeaseBook, type Holder, type RedisLeaseBook } from './lease-book.ts';
import { createLinkDropper } from './link-dropper.ts';

const leaseMs = 600;
const renewEveryMs = 100;
let redis: RedisClient;
let book: RedisLeaseBook;
let edge: ReturnType<typeof createEdge>;
const others: Lease[] = [];

const openBook = (key = `signpost:test:${randomUUID()}`) =>
  createLeaseBook(redis, { leaseMs, timeoutMs: 1000, key });

beforeAll(async () => {
  redis = createRedis({ redisUrl, redisTimeoutMs: 1000 }, () => {});
  await once(redis, 'ready');
  // A registry of its own for this file: there is one for a whole installation.
  book = openBook();
  // It is new, and nobody has waited yet until it was older than a lease.
  await createLinkDropper({ ...parts(), bus: answers([]) }).drop(['menu']);
});
afterAll(() => redis.disconnect());

function createEdge(overrides: Partial<RedisLeaseBook> = {}) {
  const id = randomUUID();
  const ear = { hearing: true, losses: 0 };
  const lease = createLease({
    id,
    book: { ...book, ...overrides },
    isHearing: () => ear.hearing,
    hearingLosses: () => ear.losses,
    leaseMs,
    renewEveryMs,
  });
  lease.start();
  others.push(lease);
  return { id, ear, lease };
}

/** One whose question hangs on its way to Redis: it goes on trusting its memory for as long as it may. */
async function createStuckEdge() {
  const stuck = createEdge({ renew: () => sleep(2 * leaseMs).then(() => false) });
  await waitUntil('it has a lease', async () => stuck.lease.isGood());
  return stuck;
}

const leasesOf = async (id: string): Promise<Holder[]> =>
  (await book.read()).holders.filter(({ process }) => process === id);

const answers = (ids: readonly string[]) => ({
  ask(_subject: string, _data: string, onAnswer: (data: string) => void) {
    for (const id of ids) setImmediate(() => onAnswer(id));
    return { stop() {} };
  },
});

const parts = () => ({ book, leaseMs, patienceMs: 50, onSlow: () => {} });

beforeEach(async () => {
  edge = createEdge();
  await waitUntil('the lease is good', async () => edge.lease.isGood());
});
afterEach(async () => {
  for (const lease of others.splice(0)) await lease.stop();
});

describe('a lease', () => {
  test('is renewed for as long as invalidations can be heard, and no other process sweeps it', async () => {
    const second = createEdge();
    const { epoch } = edge.lease;
    await sleep(3 * leaseMs);
    expect(edge.lease.isGood()).toBe(true);
    expect(edge.lease.epoch).toBe(epoch);
    for (const { id } of [edge, second]) expect(await leasesOf(id)).toHaveLength(1);
  });

  test('is not good from the moment that nothing is heard, and a new one begins a new epoch', async () => {
    const { epoch } = edge.lease;
    expect(edge.lease.timesLost).toBe(0);
    edge.ear.hearing = false;
    expect(edge.lease.isGood()).toBe(false);
    edge.ear.losses++;
    edge.ear.hearing = true;
    expect(edge.lease.isGood()).toBe(false);
    await waitUntil('there is a new lease', async () => edge.lease.isGood());
    expect(edge.lease.epoch).toBeGreaterThan(epoch);
    expect(edge.lease.timesLost).toBe(1);
  });

  test('is given back where nothing is heard, so that no edit waits for it', async () => {
    edge.ear.hearing = false;
    await waitUntil('the registry has none', async () => (await leasesOf(edge.id)).length === 0);
  });

  test('of a process that is gone is swept by the others, struck or not', async () => {
    await book.join('gone/1', '');
    await book.join('gone/2', '');
    await book.strike([{ name: 'gone/2' }]);
    expect(await leasesOf('gone')).toHaveLength(2);
    await waitUntil('they are swept', async () => (await leasesOf('gone')).length === 0);
  });

  test('says which protocol its process understands; one that says nothing is of before there was a second', async () => {
    expect(await leasesOf(edge.id)).toMatchObject([{ protocol }]);
    expect(protocol).toBeGreaterThan(1);
    await book.join('older/1', '');
    expect(await leasesOf('older')).toMatchObject([{ process: 'older', protocol: 1 }]);
  });

  test('ends here before it ends in the registry', async () => {
    const stuck = await createStuckEdge();
    while (stuck.lease.isGood()) await sleep(1);
    expect(await leasesOf(stuck.id)).toHaveLength(1);
  });

  test('that was struck is not renewed; the process takes a new one', async () => {
    const { epoch } = edge.lease;
    await book.strike(await leasesOf(edge.id));
    await waitUntil('it has joined again', async () => edge.lease.epoch > epoch && edge.lease.isGood());
    expect(await leasesOf(edge.id)).toHaveLength(1);
  });

  test('that was struck is not brought back by a question that reaches Redis late', async () => {
    let late: (() => Promise<unknown>) | null = null;
    const slow = createEdge({
      join(name, former) {
        if (late) return book.join(name, former);
        late = () => book.join(name, former);
        return Promise.reject(new Error('no answer in time'));
      },
    });
    await waitUntil('it has a lease', async () => slow.lease.isGood());
    const { epoch } = slow.lease;
    await book.strike(await leasesOf(slow.id));
    await late!();
    await waitUntil('it has joined again', async () => slow.lease.epoch > epoch);
  });

  test('whose renewal is answered only after it has ended is not good again', async () => {
    // Asked while the lease is good, answered after its end, and before the end that it would have from then on.
    const slow = createEdge({
      renew: async (...args) => {
        const renewed = await book.renew(...args);
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

  test('is given back on stopping, which is no loss', async () => {
    await edge.lease.stop();
    expect(edge.lease.timesLost).toBe(0);
    expect(edge.lease.isGood()).toBe(false);
    expect(await leasesOf(edge.id)).toEqual([]);
  });
});

describe('a registry', () => {
  test('that is new is believed once somebody has known it for a lease', async () => {
    const key = `signpost:test:${randomUUID()}`;
    const [reader, other] = [openBook(key), openBook(key)];
    const registry = await reader.read();
    expect(registry.unsettledMs).toBeGreaterThan(leaseMs - 100);
    await waitUntil(
      'it is old enough for who has seen it',
      async () => (await reader.read()).unsettledMs === 0,
    );
    expect((await other.read()).unsettledMs).toBeGreaterThan(0);
    await reader.settle(registry);
    expect((await openBook(key).read()).unsettledMs).toBe(0);
  });

  test('is settled by the processes that renew their leases in it, for edits by others', async () => {
    const key = `signpost:test:${randomUUID()}`;
    createEdge(openBook(key));
    await waitUntil('it is settled', async () => (await openBook(key).read()).unsettledMs === 0);
  });

  test('is settled by nobody who has known another one', async () => {
    const key = `signpost:test:${randomUUID()}`;
    const reader = openBook(key);
    const before = await reader.read();
    const generation = await reader.join('edge/1', '');
    await redis.del(key);
    await reader.settle(before);
    expect(await reader.renew('edge/1', generation, leaseMs)).toBe(false);
    expect((await openBook(key).read()).unsettledMs).toBeGreaterThan(0);
  });
});

describe('an edit', () => {
  const timed = async (dropper: { drop(codes: string[]): Promise<void> }) => {
    const start = performance.now();
    await dropper.drop(['menu']);
    return performance.now() - start;
  };

  test('is done when every holder of a lease has answered', async () => {
    const second = createEdge();
    await waitUntil('there are two', async () => second.lease.isGood());
    expect(await timed(createLinkDropper({ ...parts(), bus: answers([edge.id, second.id]) }))).toBeLessThan(
      50,
    );
  });

  test('waits out the lease of one that is silent, strikes it, and need not wait for it again', async () => {
    const stuck = await createStuckEdge();
    const silent: string[] = [];
    const bus = answers([edge.id]);
    const dropper = createLinkDropper({ ...parts(), bus, onSlow: ids => silent.push(...ids) });
    const ms = await timed(dropper);
    expect(silent).toEqual([stuck.id]);
    expect(ms).toBeGreaterThanOrEqual(leaseMs);
    expect(stuck.lease.isGood()).toBe(false);
    await stuck.lease.stop();
    expect(await timed(dropper)).toBeLessThan(50);
  });

  test('waits too for one that another edit has just struck: it trusts its memory until its lease has run out', async () => {
    const stuck = await createStuckEdge();
    await book.strike(await leasesOf(stuck.id));
    await createLinkDropper({ ...parts(), bus: answers([edge.id]) }).drop(['menu']);
    expect(stuck.lease.isGood()).toBe(false);
  });

  test('that NATS cannot carry strikes the leases at once and waits them out', async () => {
    const { epoch } = edge.lease;
    const dropper = createLinkDropper({ ...parts(), patienceMs: 60_000, bus: { ask: () => null } });
    expect(await timed(dropper)).toBeLessThan(3 * leaseMs);
    expect(edge.lease.epoch).toBeGreaterThan(epoch);
  });

  test('without Redis waits for the length of a lease', async () => {
    const away = { ...book, read: () => Promise.reject(new Error('away')) };
    expect(
      await timed(createLinkDropper({ ...parts(), book: away, bus: answers([]) })),
    ).toBeGreaterThanOrEqual(leaseMs - 5);
  });

  test('goes by the registry as soon as Redis answers again: a process may have renewed its lease meanwhile', async () => {
    const { epoch } = edge.lease;
    let tries = 0;
    const slow = { ...book, read: () => (++tries < 5 ? Promise.reject(new Error('slow')) : book.read()) };
    await createLinkDropper({ ...parts(), book: slow, bus: answers([]) }).drop(['menu']);
    expect(tries).toBe(5);
    expect(edge.lease.epoch).toBeGreaterThan(epoch);
  });

  test('that cannot be told to everybody is not said to be done', async () => {
    const half = { ...book, strike: () => Promise.reject(new Error('away')) };
    const dropper = createLinkDropper({ ...parts(), book: half, bus: answers([]) });
    await expect(dropper.drop(['menu'])).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('strikes again and again while Redis is slow', async () => {
    const stuck = await createStuckEdge();
    let tries = 0;
    const slow = {
      ...book,
      strike: (leases: readonly Holder[]) =>
        ++tries < 3 ? Promise.reject(new Error('slow')) : book.strike(leases),
    };
    await timed(createLinkDropper({ ...parts(), book: slow, bus: answers([edge.id]) }));
    expect(tries).toBe(3);
    expect(stuck.lease.isGood()).toBe(false);
  });
});
