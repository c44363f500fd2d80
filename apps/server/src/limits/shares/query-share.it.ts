import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createTestDatabase, redisUrl } from '@signpost/testing/database.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import { createPostgres, type Postgres, sql, unprepared } from '../../platform/postgres/postgres.ts';
import { createReadPool, type ReadPool } from '../../platform/postgres/reading/read-pool.ts';
import { createRedis, type RedisClient } from '../../platform/redis/redis.ts';
import { createConcurrencySlots } from './concurrency.ts';
import { createQueryShare, type QueryShare, type RunQuery } from './query-share.ts';
import { createShare, type Share } from './share.ts';

let pool: ReadPool;
let beside: Postgres;
let redis: RedisClient;
let share: Share;
let queries: QueryShare;

beforeAll(async () => {
  const databaseUrl = await createTestDatabase();
  const config = {
    databaseUrl,
    databasePooler: 'none',
    databasePoolSize: 4,
    databaseTimeoutMs: 10_000,
  } as const;
  pool = createReadPool(config, () => undefined);
  beside = createPostgres(config, () => undefined);
  redis = createRedis({ redisUrl, redisTimeoutMs: 10_000 }, () => {});
  await once(redis, 'ready');
  const slots = createConcurrencySlots({
    redis,
    kind: 'test-queries',
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
});
afterAll(async () => {
  share.close();
  redis.disconnect();
  await pool.close();
  await beside.close();
});

/** Runs for a second and goes on when it is cancelled. */
const long = `do $$
  declare until timestamptz := clock_timestamp() + interval '1 second';
  begin
    while clock_timestamp() < until loop
      begin
        perform pg_sleep(extract(epoch from until - clock_timestamp()));
      exception when query_canceled then null;
      end;
    end loop;
  end $$`;
const longMs = 1000;

const running = sql(
  'test-running',
  `select pid from pg_stat_activity where datname = current_database() and query like 'do $$%' and state = 'active'`,
);

const runOn = (run: RunQuery, query: string) => run(limits => pool.query(unprepared(query), [], limits));

describe('a store that is slow to end a query', () => {
  test('works on after its caller has left, and the slot is taken until it is done', async () => {
    const caller = new AbortController();
    const start = performance.now();
    const result = queries.by(randomUUID(), { most: 2, signal: caller.signal }, run => {
      return Promise.all([runOn(run, long), runOn(run, 'select 1 as one')]);
    });
    await waitUntil('the query runs', async () => (await beside.query(running)).length > 0);
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
      run(limits => pool.query(unprepared(long), [], { ...limits, timeoutMs: 100 })),
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
          run(limits => pool.query<{ n: number }>(unprepared('select $1::int as n'), [n], limits)),
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
});
