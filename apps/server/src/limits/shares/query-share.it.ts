import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redisUrl } from '@signpost/testing/database.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import { type ClickHouse, createClickHouse } from '../../platform/clickhouse/clickhouse.ts';
import { createRedis, type RedisClient } from '../../platform/redis/redis.ts';
import { createConcurrencySlots } from './concurrency.ts';
import { createQueryShare, type QueryShare, type RunQuery } from './query-share.ts';
import { createShare, type Share } from './share.ts';

let dir: string;
let clickhouse: ClickHouse;
let redis: RedisClient;
let share: Share;
let queries: QueryShare;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'signpost-chdb-'));
  clickhouse = await createClickHouse(`chdb://${dir}`);
  redis = createRedis({ redisUrl, redisTimeoutMs: 10_000 }, () => {});
  await once(redis, 'ready');
  const slots = createConcurrencySlots({
    redis,
    kind: 'chdb',
    perAccount: 2,
    timeoutMs: 10_000,
    onAway() {},
  });
  share = createShare({
    slots,
    perProcess: 4,
    queueLimits: { total: 4, perAccount: 2 },
    waitMs: 10_000,
    refusal: () => new AppError('rate_limit_exceeded', 'Try again.', { retryAfterSeconds: 1 }),
    onRefused() {},
  });
  queries = createQueryShare(share);
  await clickhouse.query('select 1');
});
afterAll(async () => {
  share.close();
  redis.disconnect();
  await clickhouse.close();
  await rm(dir, { recursive: true, force: true });
});

/** Runs for a second and cannot be aborted. */
const long = 'select sum(sleepEachRow(0.05)) as slept from numbers(20)';
const longMs = 1000;

const runOn = (run: RunQuery, query: string) => run(limits => clickhouse.query(query, {}, limits));

describe('the engine in the process', () => {
  test('works on after its caller has left, and the slot is taken until it is done', async () => {
    const caller = new AbortController();
    const start = performance.now();
    let isQueried = false;
    const result = queries.by(randomUUID(), { most: 2, signal: caller.signal }, run => {
      isQueried = true;
      return Promise.all([runOn(run, long), runOn(run, 'select 1 as one')]);
    });
    await waitUntil('the engine is queried', async () => isQueried);
    caller.abort(new Error('hung up'));
    await expect(result).rejects.toThrow('hung up');
    expect(performance.now() - start).toBeLessThan(longMs);
    expect(share.inUse).toBeGreaterThan(0);
    await waitUntil('no slot is taken', async () => share.inUse === 0);
    expect(performance.now() - start).toBeGreaterThanOrEqual(0.9 * longMs);
  });

  test('ends a query that is out of time at once, and keeps its slot until the engine is done', async () => {
    const start = performance.now();
    const result = queries.by(randomUUID(), {}, run =>
      run(limits => clickhouse.query(long, {}, { ...limits, timeoutMs: 100 })),
    );
    await expect(result).rejects.toMatchObject({ code: 'timeout' });
    expect(performance.now() - start).toBeLessThan(longMs);
    expect(share.inUse).toBe(1);
    await waitUntil('no slot is taken', async () => share.inUse === 0);
    expect(performance.now() - start).toBeGreaterThanOrEqual(0.9 * longMs);
  });

  test('releases all slots after queries one after the other, good and bad', async () => {
    const account = randomUUID();
    const numbers = [1, 2, 3, 4, 5];
    const rows = await queries.by(account, { most: 2 }, run =>
      Promise.all(
        numbers.map(n =>
          run(limits => clickhouse.query<{ n: number }>('select {n: UInt8} as n', { n }, limits)),
        ),
      ),
    );
    expect(rows.flat()).toEqual(numbers.map(n => ({ n })));
    const bad = queries.by(account, {}, run =>
      Promise.all(['select nothing', 'select 1', 'select 2'].map(query => runOn(run, query))),
    );
    await expect(bad).rejects.toThrow();
    await waitUntil('no slot is taken', async () => share.inUse === 0);
  });

  test('an export whose client has left is not over until the engine is done', async () => {
    const caller = new AbortController();
    const start = performance.now();
    const rows = clickhouse.stream(long, {}, { signal: caller.signal });
    const first = rows.next();
    caller.abort(new Error('hung up'));
    await expect(first).rejects.toThrow('hung up');
    expect(performance.now() - start).toBeGreaterThanOrEqual(0.9 * longMs);
  });
});
