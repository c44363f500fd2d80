import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { redisUrl } from '../../../../test/support/database.ts';
import { waitUntil } from '../../../../tools/engines/wait.ts';
import { createRedis, type RedisClient } from '../platform/redis.ts';
import { createLease, type Lease } from './lease.ts';
import { createLeaseBook, type RedisLeaseBook } from './lease-book.ts';
import { createLinkDropper } from './link-dropper.ts';

const leaseMs = 600;
let redis: RedisClient;
let book: RedisLeaseBook;
let edge: ReturnType<typeof createEdge>;
const others: Lease[] = [];

beforeAll(async () => {
  redis = createRedis({ redisUrl, redisTimeoutMs: 1000 }, () => {});
  await once(redis, 'ready');
  // A book of its own for this file: the set is one for a whole installation.
  book = createLeaseBook(redis, 1000, `signpost:test:${randomUUID()}`);
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
    renewEveryMs: 100,
  });
  lease.start();
  others.push(lease);
  return { id, ear, lease };
}

beforeEach(async () => {
  edge = createEdge();
  await waitUntil('the lease is good', async () => edge.lease.isGood());
});
afterEach(async () => {
  for (const lease of others.splice(0)) await lease.stop();
});

describe('a lease', () => {
  test('is renewed for as long as invalidations can be heard', async () => {
    const { epoch } = edge.lease;
    await sleep(2 * leaseMs);
    expect(edge.lease.isGood()).toBe(true);
    expect(edge.lease.epoch).toBe(epoch);
    expect((await book.holders()).map(holder => holder.id)).toContain(edge.id);
  });

  test('is not good from the moment that nothing is heard, and a new one begins a new epoch', async () => {
    const { epoch } = edge.lease;
    edge.ear.hearing = false;
    expect(edge.lease.isGood()).toBe(false);
    edge.ear.losses++;
    edge.ear.hearing = true;
    expect(edge.lease.isGood()).toBe(false);
    await waitUntil('there is a new lease', async () => edge.lease.isGood());
    expect(edge.lease.epoch).toBeGreaterThan(epoch);
  });

  test('runs out in the book when it is not renewed', async () => {
    edge.ear.hearing = false;
    await waitUntil('the book has forgotten it', async () =>
      (await book.holders()).every(holder => holder.id !== edge.id),
    );
  });

  test('ends here before it ends in the book', async () => {
    const slow = createEdge({ renew: () => sleep(2 * leaseMs).then(() => true) });
    await waitUntil('it has a lease', async () => slow.lease.isGood());
    while (slow.lease.isGood()) await sleep(1);
    expect((await book.holders()).map(holder => holder.id)).toContain(slow.id);
  });

  test('that was struck off is not renewed but taken anew', async () => {
    const { epoch } = edge.lease;
    await book.strike([edge.id]);
    await waitUntil('it has joined again', async () => edge.lease.epoch > epoch && edge.lease.isGood());
  });

  test('is given back on stopping', async () => {
    await edge.lease.stop();
    expect(edge.lease.isGood()).toBe(false);
    expect((await book.holders()).map(holder => holder.id)).not.toContain(edge.id);
  });
});

describe('an edit', () => {
  const answers = (ids: readonly string[]) => ({
    connected: true,
    ask(_subject: string, _data: string, onAnswer: (data: string) => void) {
      for (const id of ids) setImmediate(() => onAnswer(id));
      return { stop() {} };
    },
  });
  const timed = async (dropper: { drop(codes: string[]): Promise<void> }) => {
    const start = performance.now();
    await dropper.drop(['menu']);
    return performance.now() - start;
  };
  const parts = () => ({ book, leaseMs, patienceMs: 50, onSlow: () => {} });

  test('is done when every holder of a lease has answered', async () => {
    const second = createEdge();
    await waitUntil('there are two', async () => second.lease.isGood());
    expect(await timed(createLinkDropper({ ...parts(), bus: answers([edge.id, second.id]) }))).toBeLessThan(
      50,
    );
  });

  test('waits out the lease of one that is silent, strikes it off, and need not wait for it again', async () => {
    edge.ear.hearing = false;
    const silent: string[] = [];
    const dropper = createLinkDropper({ ...parts(), bus: answers([]), onSlow: ids => silent.push(...ids) });
    const ms = await timed(dropper);
    expect(silent).toEqual([edge.id]);
    expect(ms).toBeGreaterThanOrEqual(leaseMs);
    expect(edge.lease.isGood()).toBe(false);
    expect(await timed(dropper)).toBeLessThan(50);
  });

  test('waits too for one that another edit has just struck off: it trusts its memory until its lease has run out', async () => {
    const stuck = createEdge({ renew: () => sleep(2 * leaseMs).then(() => true) });
    await waitUntil('it has a lease', async () => stuck.lease.isGood());
    await book.strike([stuck.id]);
    await createLinkDropper({ ...parts(), bus: answers([edge.id]) }).drop(['menu']);
    expect(stuck.lease.isGood()).toBe(false);
  });

  test('without Redis waits for the length of a lease', async () => {
    const away = {
      holders: () => Promise.reject(new Error('away')),
      strike: () => Promise.reject(new Error('away')),
    };
    expect(
      await timed(createLinkDropper({ ...parts(), book: away, bus: answers([]) })),
    ).toBeGreaterThanOrEqual(leaseMs - 5);
  });

  test('that cannot be told to everybody is not said to be done', async () => {
    const half = { holders: book.holders, strike: () => Promise.reject(new Error('away')) };
    const dropper = createLinkDropper({ ...parts(), book: half, bus: answers([]) });
    await expect(dropper.drop(['menu'])).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('strikes off again and again while Redis is slow', async () => {
    edge.ear.hearing = false;
    let tries = 0;
    const slow = {
      holders: book.holders,
      strike: (ids: readonly string[]) =>
        ++tries < 3 ? Promise.reject(new Error('slow')) : book.strike(ids),
    };
    await timed(createLinkDropper({ ...parts(), book: slow, bus: answers([]) }));
    expect(tries).toBe(3);
    expect(edge.lease.isGood()).toBe(false);
  });
});
