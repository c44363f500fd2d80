import { afterAll, describe, expect, test } from 'vitest';
import { startProxy } from '../../../../test/support/proxy.ts';
import type { Engine } from '../../../../tools/engines/engine.ts';
import { startRedis } from '../../../../tools/engines/redis.ts';
import { waitUntil } from '../../../../tools/engines/wait.ts';
import { createRedis } from '../platform/redis.ts';
import { createLease, type LeaseBook } from './lease.ts';
import { createLeaseBook } from './lease-book.ts';
import * as scripts from './lease-scripts.ts';
import { createLinkDropper } from './link-dropper.ts';

const leaseMs = 2500;
/** Last opened, first closed. */
const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (let close = closers.pop(); close; close = closers.pop()) await close();
});

async function keep(starting: Promise<Engine>): Promise<Engine> {
  const engine = await starting;
  closers.push(() => engine.remove());
  return engine;
}

function openRedis(port: number) {
  const redis = createRedis({ redisUrl: `redis://127.0.0.1:${port}`, redisTimeoutMs: 300 }, () => {}, {
    patient: true,
  });
  closers.push(() => redis.disconnect());
  return redis;
}

const openBook = (port: number) => createLeaseBook(openRedis(port), { leaseMs, timeoutMs: 300 });

/**
 * A redirect that hears of no edit. Once it is cut off, its questions to Redis hang, so it trusts its memory for as long as
 * it may. The registry is settled when it has held its lease for a while.
 */
async function startEdge(port: number) {
  const book = openBook(port);
  let isCutOff = false;
  const unlessCutOff = <Value>(question: () => Promise<Value>) =>
    isCutOff ? new Promise<Value>(() => {}) : question();
  const wired: LeaseBook = {
    join: (...args) => unlessCutOff(() => book.join(...args)),
    renew: (...args) => unlessCutOff(() => book.renew(...args)),
    leave: async () => {},
    sweep: () => unlessCutOff(book.sweep),
  };
  const ear = { isHearing: () => true, hearingLosses: () => 0 };
  const lease = createLease({ id: 'edge', book: wired, ...ear, leaseMs, renewEveryMs: 100 });
  lease.start();
  // What hangs cannot be waited for.
  closers.push(() => void lease.stop());
  await waitUntil('the lease is good', () => lease.isGood());
  const { epoch } = lease;
  return {
    cutOff() {
      isCutOff = true;
    },
    trustsItsMemory: () => lease.isGood() && lease.epoch === epoch,
  };
}

/** One that has seen the registry, with all that there was to wait for. */
async function startEditor(port: number) {
  const book = openBook(port);
  await waitUntil('the registry is settled', async () => (await book.read()).unsettledMs === 0);
  return openEditor(port, book);
}

const openEditor = (port: number, book = openBook(port)) =>
  createLinkDropper({
    bus: { ask: () => ({ stop() {} }) },
    book,
    leaseMs,
    patienceMs: 50,
    onSlow: () => {},
  });

type Parts = {
  readonly edge: Awaited<ReturnType<typeof startEdge>>;
  readonly editor: ReturnType<typeof openEditor>;
};

async function expectEditToHold({ edge, editor }: Parts): Promise<void> {
  expect(edge.trustsItsMemory()).toBe(true);
  await editor.drop(['menu']);
  expect(edge.trustsItsMemory()).toBe(false);
}

/** Each on a Redis of its own; all of them mostly wait. */
describe.concurrent('an edit that nobody hears', () => {
  test.each(['that has seen the registry', 'that is new'])(
    'holds after Redis came back empty, by a process %s',
    async kind => {
      const redis = await keep(startRedis());
      const edge = await startEdge(redis.port);
      const seen = await startEditor(redis.port);
      edge.cutOff();
      await redis.kill('SIGKILL');
      await redis.start();
      await expectEditToHold({ edge, editor: kind === 'that is new' ? openEditor(redis.port) : seen });
    },
  );

  test('holds after everything in Redis was deleted', async () => {
    const redis = await keep(startRedis());
    const edge = await startEdge(redis.port);
    const editor = await startEditor(redis.port);
    edge.cutOff();
    await openRedis(redis.port).flushall();
    await expectEditToHold({ edge, editor });
  });

  test('holds after Redis came back with the data of before', async () => {
    const redis = await keep(startRedis());
    const editor = await startEditor(redis.port);
    await openRedis(redis.port).save();
    const edge = await startEdge(redis.port);
    edge.cutOff();
    await redis.kill('SIGKILL');
    await redis.start();
    await expectEditToHold({ edge, editor });
  });

  test('holds after a replica took over that lagged behind', async () => {
    const [redis, replica] = [await keep(startRedis()), await keep(startRedis())];
    const book = openBook(redis.port);
    await book.settle(await book.read());
    const follower = openRedis(replica.port);
    await follower.replicaof('127.0.0.1', redis.port);
    await waitUntil('it has caught up', async () => (await follower.exists('signpost:lease-registry')) === 1);
    await follower.replicaof('NO', 'ONE');
    const edge = await startEdge(redis.port);
    edge.cutOff();
    await expectEditToHold({ edge, editor: openEditor(replica.port) });
  });

  test('holds by a process whose connection to Redis has died without a word', async () => {
    const redis = await keep(startRedis());
    const proxy = await startProxy(redis.port);
    closers.push(() => proxy.close());
    const edge = await startEdge(redis.port);
    const editor = await startEditor(proxy.port);
    proxy.forsake();
    await expectEditToHold({ edge, editor });
  });

  test.each([0.3, 3])('holds while Redis is stopped for %f s', async seconds => {
    const redis = await keep(startRedis());
    const edge = await startEdge(redis.port);
    const editor = await startEditor(redis.port);
    redis.freeze();
    setTimeout(() => redis.thaw(), seconds * 1000);
    await expectEditToHold({ edge, editor });
  });
});

test('the clock of Redis may jump: nothing in the registry is measured by it', () => {
  expect(Object.values(scripts).join('\n')).not.toMatch(/TIME|EXPIRE|TTL/);
});
