import { redisUrl } from '@signpost/testing/database.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { type EngineProxy, startProxy } from '@signpost/testing/proxy.ts';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createRoundTrips } from '../../kernel/running/round-trips.ts';
import { createRedis } from './redis.ts';

let far: EngineProxy;
let farUrl: string;

beforeEach(async () => {
  const url = new URL(redisUrl);
  far = await startProxy(Number(url.port || 6379));
  onTestFinished(() => far.close());
  far.delayMs = 100;
  url.port = String(far.port);
  farUrl = url.href;
});

async function connected(trips?: ReturnType<typeof createRoundTrips>) {
  const redis = createRedis({ redisUrl: farUrl, redisTimeoutMs: 40 }, () => {}, trips ? { trips } : {});
  onTestFinished(() => redis.disconnect());
  await waitUntil('Redis is connected', () => redis.status === 'ready');
  return redis;
}

test('a client with a short limit connects to a far Redis, and its commands are cut off', async () => {
  const redis = await connected();
  await expect(redis.ping()).rejects.toThrow('Command timed out');
});

test('a client that measures waits for a far Redis, and no longer than twice its round trip and a little more', async () => {
  const trips = createRoundTrips({ minMs: 100, maxMs: 1000 });
  const redis = await connected(trips);
  for (let i = 0; i < 8; i++) expect(await redis.ping()).toBe('PONG');
  expect(trips.smoothedMs).toBeGreaterThanOrEqual(198);
  far.silent = true;
  const startMs = performance.now();
  await expect(redis.ping()).rejects.toThrow('Command timed out');
  expect(performance.now() - startMs).toBeLessThan(1000);
});
