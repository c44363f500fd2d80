import { afterEach, expect, test } from 'vitest';
import { createWorkerPool, type WorkerPool } from './worker-pool.ts';
import type { FaultyJob } from './worker-pool-fixture.ts';

const pools: WorkerPool<FaultyJob, number>[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map(pool => pool.close()));
});

function openPool(timeoutMs = 20_000) {
  const threadErrors: unknown[] = [];
  const pool = createWorkerPool<FaultyJob, number>({
    script: new URL('worker-pool-fixture.ts', import.meta.url),
    threads: 2,
    timeoutMs,
    memoryMb: 32,
    onFailure: cause => new Error('failed', { cause }),
    onThreadError: error => threadErrors.push(error),
  });
  pools.push(pool);
  return { pool, threadErrors };
}

test.each([
  ['throws before its answer', 'throw'],
  ['throws an error that nothing catches', 'uncaught'],
  ['ends its thread', 'exit'],
  ['eats memory', 'memory'],
] as const)('a job that %s fails alone', async (_, fault) => {
  const { pool } = openPool();
  const beside = pool.run({ fault: 'none', ms: 300 });
  await expect(pool.run({ fault, ms: 0 })).rejects.toThrow(fault === 'throw' ? 'thrown' : 'failed');
  expect(await beside).toBe(300);
  expect(await pool.run({ fault: 'none', ms: 1 })).toBe(1);
});

test('a job that throws after its answer has answered, and the pool goes on', async () => {
  const { pool, threadErrors } = openPool();
  expect(await pool.run({ fault: 'after', ms: 0 })).toBe(0);
  await expect.poll(() => threadErrors.length, { timeout: 10_000 }).toBe(1);
  for (let job = 0; job < 4; job++) expect(await pool.run({ fault: 'none', ms: 1 })).toBe(1);
});

test('a job that takes too long is ended with its thread', async () => {
  const { pool } = openPool(3_000);
  await expect(pool.run({ fault: 'hang', ms: 0 })).rejects.toThrow('failed');
  expect(await pool.run({ fault: 'none', ms: 1 })).toBe(1);
});

test('closing settles what runs and what waits', async () => {
  const { pool } = openPool();
  await pool.run({ fault: 'none', ms: 0 });
  const jobs = Array.from({ length: 5 }, () => pool.run({ fault: 'none', ms: 60_000 }));
  const settled = Promise.allSettled(jobs);
  await pool.close();
  for (const { status } of await settled) expect(status).toBe('rejected');
});
