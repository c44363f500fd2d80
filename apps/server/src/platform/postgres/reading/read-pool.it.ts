import { createTestDatabase } from '@signpost/testing/database.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPostgres, type Postgres, sql, unprepared } from '../postgres.ts';
import { createReadPool, type ReadPool } from './read-pool.ts';

let pool: ReadPool;
let beside: Postgres;

beforeAll(async () => {
  const config = {
    databaseUrl: await createTestDatabase(),
    databasePooler: 'none',
    databasePoolSize: 2,
    databaseTimeoutMs: 5_000,
  } as const;
  pool = createReadPool(config, () => undefined);
  beside = createPostgres(config, () => undefined);
});
afterAll(async () => {
  await pool.close();
  await beside.close();
});

const sleeping = sql(
  'test-sleeping',
  `select pid from pg_stat_activity where datname = current_database() and query like 'select pg_sleep%' and state = 'active'`,
);
const countSleeping = async () => (await beside.query(sleeping)).length;
const sleep = (limits: Parameters<ReadPool['query']>[2]) =>
  pool.query(unprepared('select pg_sleep(60)'), [], limits);

test('a query returns its rows, and its transaction writes nothing', async () => {
  expect(await pool.query(unprepared('select $1::int + 1 as n'), [1], {})).toEqual([{ n: 2 }]);
  await expect(pool.query(unprepared('create table t (n int)'), [], {})).rejects.toMatchObject({
    cause: { code: '25006' },
  });
});

test('a query whose caller leaves ends at once in PostgreSQL too, and its connection serves others', async () => {
  const leaving = new AbortController();
  let settled = 0;
  const queries = [1, 2].map(() => sleep({ signal: leaving.signal, onSettled: () => settled++ }));
  const outcomes = Promise.allSettled(queries);
  await waitUntil('both run', async () => (await countSleeping()) === 2);
  leaving.abort(new Error('hung up'));
  for (const outcome of await outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'hung up' } });
  await waitUntil('both have ended', async () => (await countSleeping()) === 0 && settled === 2);
  const after = await Promise.all([1, 2, 3].map(n => pool.query(unprepared(`select ${n} as n`), [], {})));
  expect(after.flat()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test('a query that takes too long is refused as such and ends in PostgreSQL too', async () => {
  await expect(sleep({ timeoutMs: 100 })).rejects.toMatchObject({ code: 'timeout' });
  await waitUntil('it has ended', async () => (await countSleeping()) === 0);
});

test('a caller that has left before its turn asks nothing of PostgreSQL', async () => {
  const busy = new AbortController();
  const running = Promise.allSettled([1, 2].map(() => sleep({ signal: busy.signal })));
  await waitUntil('both connections are in use', async () => (await countSleeping()) === 2);
  const leaving = new AbortController();
  const third = sleep({ signal: leaving.signal });
  leaving.abort(new Error('hung up'));
  await expect(third).rejects.toThrow('hung up');
  expect(await countSleeping()).toBe(2);
  busy.abort();
  await running;
});

test('a PostgreSQL that is away is unavailable', async () => {
  const config = {
    databaseUrl: 'postgres://127.0.0.1:9/none',
    databasePooler: 'none',
    databasePoolSize: 1,
    databaseTimeoutMs: 500,
  } as const;
  const away = createReadPool(config, () => undefined);
  await expect(away.query(unprepared('select 1'), [], {})).rejects.toMatchObject({ code: 'unavailable' });
  await away.close();
});
