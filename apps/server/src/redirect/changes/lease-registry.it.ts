import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { startProxy } from '@signpost/testing/proxy.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { createRedis } from '../../platform/redis/redis.ts';
import { Acknowledgements, createAckTimes } from './acknowledgements.ts';
import { createChangeNotifier } from './change-notifier.ts';
import { Lease, type LeaseRegistry } from './lease.ts';
import { createLeaseRegistry } from './lease-registry.ts';
import * as scripts from './lease-scripts.ts';

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
    queueOffline: true,
  });
  closers.push(() => redis.disconnect());
  return redis;
}

const openRegistry = (port: number) => createLeaseRegistry(openRedis(port), { leaseMs, timeoutMs: 300 });

/**
 * A redirect that receives no invalidation. Once it is cut off, its requests to Redis hang, so it serves from memory for as
 * long as its lease lasts. The registry is settled when the lease has been held for a while.
 */
async function startEdge(port: number) {
  const registry = openRegistry(port);
  let isCutOff = false;
  const unlessCutOff = <Value>(request: () => Promise<Value>) =>
    isCutOff ? new Promise<Value>(() => {}) : request();
  const severable: LeaseRegistry = {
    join: (...args) => unlessCutOff(() => registry.join(...args)),
    renew: (...args) => unlessCutOff(() => registry.renew(...args)),
    leave: async () => {},
    sweep: () => unlessCutOff(registry.sweep),
  };
  const changes = {
    isSubscribed: () => true,
    losses: () => 0,
    isBehind: () => false,
    catchUp: async () => {},
    applyUnnumbered: async () => {},
  };
  const lease = new Lease({ id: 'edge', registry: severable, changes, leaseMs, renewEveryMs: 100 });
  lease.start();
  // A request that hangs cannot be awaited.
  closers.push(() => void lease.stop());
  await waitUntil('the lease is good', () => lease.isGood());
  const { term } = lease;
  return {
    cutOff() {
      isCutOff = true;
    },
    servesFromMemory: () => lease.isGood() && lease.term === term,
  };
}

/** It has already seen the registry settled. */
async function startEditor(port: number) {
  const registry = openRegistry(port);
  await waitUntil('the registry is settled', async () => (await registry.read()).unsettledMs === 0);
  return openEditor(port, registry);
}

/** Its changes get numbers, and nobody acknowledges them. */
function openEditor(port: number, registry = openRegistry(port)) {
  const times = createAckTimes({ minMs: 50, maxMs: 50 });
  const acknowledgements = new Acknowledgements(times);
  let n = 0;
  return createChangeNotifier({
    publisher: { publish: async () => ({ n: ++n, newest: null, acknowledgements }) },
    registry,
    leaseMs,
    times,
    onSlow: () => {},
  });
}

type Parts = {
  readonly edge: Awaited<ReturnType<typeof startEdge>>;
  readonly editor: ReturnType<typeof openEditor>;
};

async function expectEditToHold({ edge, editor }: Parts): Promise<void> {
  expect(edge.servesFromMemory()).toBe(true);
  await editor.invalidate(['menu']);
  expect(edge.servesFromMemory()).toBe(false);
}

/** Each has its own Redis, and all of them mostly wait. */
describe.concurrent('an edit whose invalidation is not received', () => {
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

  test('holds after Redis came back with old data', async () => {
    const redis = await keep(startRedis());
    const editor = await startEditor(redis.port);
    await openRedis(redis.port).save();
    const edge = await startEdge(redis.port);
    edge.cutOff();
    await redis.kill('SIGKILL');
    await redis.start();
    await expectEditToHold({ edge, editor });
  });

  test('holds after a lagging replica took over', async () => {
    const [redis, replica] = [await keep(startRedis()), await keep(startRedis())];
    const registry = openRegistry(redis.port);
    await registry.markSettled(await registry.read());
    const follower = openRedis(replica.port);
    await follower.replicaof('127.0.0.1', redis.port);
    await waitUntil('it has caught up', async () => (await follower.exists('signpost:lease-registry')) === 1);
    await follower.replicaof('NO', 'ONE');
    const edge = await startEdge(redis.port);
    edge.cutOff();
    await expectEditToHold({ edge, editor: openEditor(replica.port) });
  });

  test('holds where the editing process has a dead connection to Redis', async () => {
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

test('the clock of Redis may jump: the registry does not use it', () => {
  expect(Object.values(scripts).join('\n')).not.toMatch(/TIME|EXPIRE|TTL/);
});
