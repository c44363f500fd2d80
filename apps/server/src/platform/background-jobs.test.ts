import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createBackgroundJobs, poll, runEvery } from './background-jobs.ts';
import { databaseUnavailable } from './postgres/postgres.ts';

const everyMs = 5;

test('a job runs again and again, at once while there is more to do, and never after stop', async () => {
  let [runs, left] = [0, 50];
  const longMs = 60_000;
  const run = async () => {
    runs++;
    return --left > 0;
  };
  const jobs = createBackgroundJobs({ warn() {} }, [{ name: 'sweep', everyMs: longMs, run }]);
  jobs.start();
  await sleep(20);
  expect(runs).toBe(50);
  await jobs.stop();
  await sleep(20);
  expect(runs).toBe(50);
});

test('a failing job is retried, does not disturb the others, and is logged once until it works again', async () => {
  const logged: unknown[] = [];
  const warn = (fields: unknown) => void logged.push(fields);
  let [runs, otherRuns] = [0, 0];
  const jobs = createBackgroundJobs({ warn }, [
    {
      name: 'sweep',
      everyMs,
      async run() {
        runs++;
        if (runs !== 4) throw new Error(`no broom ${runs}`);
        return false;
      },
    },
    { name: 'dust', everyMs, run: async () => ++otherRuns < 0 },
  ]);
  jobs.start();
  while (runs < 8) await sleep(everyMs);
  await jobs.stop();
  expect(logged).toMatchObject([
    { job: 'sweep', err: { message: 'no broom 1' } },
    { job: 'sweep', err: { message: 'no broom 5' } },
  ]);
  expect(otherRuns).toBeGreaterThan(1);
});

const refused = (port: number) =>
  Object.assign(new Error(`connect ECONNREFUSED 127.0.0.1:${port}`), { code: 'ECONNREFUSED' });

test.each([
  ['an engine other than PostgreSQL that is away', refused(8123), 1],
  ['a time limit of its own', new Error('timeout of 5000 ms'), 1],
  [
    'a statement that takes too long',
    databaseUnavailable(
      Object.assign(new pg.DatabaseError('canceling statement', 0, 'error'), { code: '57014' }),
    ),
    1,
  ],
  ['PostgreSQL that is away, which the pools report', databaseUnavailable(refused(5432)), 0],
])('a job that fails by %s', async (_, error, lines) => {
  const logged: unknown[] = [];
  let runs = 0;
  const run = async () => {
    runs++;
    throw error;
  };
  const jobs = createBackgroundJobs({ warn: (fields: unknown) => void logged.push(fields) }, [
    { name: 'sweep', everyMs, run },
  ]);
  jobs.start();
  while (runs < 3) await sleep(everyMs);
  await jobs.stop();
  expect(logged).toHaveLength(lines);
});

test('stopping aborts the signal of a job and waits until its run has ended', async () => {
  let hasEnded = false;
  const jobs = createBackgroundJobs({ warn() {} }, [
    {
      name: 'sweep',
      everyMs,
      async run(signal) {
        await sleep(60_000, undefined, { signal }).catch(() => undefined);
        await sleep(20);
        hasEnded = true;
        return true;
      },
    },
  ]);
  jobs.start();
  await jobs.stop();
  expect(hasEnded).toBe(true);
});

test('a poll looks again and again, one look at a time, and never after stop', async () => {
  let [looks, concurrent, maxConcurrent] = [0, 0, 0];
  const stop = poll(1, async () => {
    looks++;
    maxConcurrent = Math.max(maxConcurrent, ++concurrent);
    await sleep(2);
    concurrent--;
  });
  while (looks < 3) await sleep(1);
  await stop();
  const looksAtStop = looks;
  await sleep(20);
  expect([looks, maxConcurrent]).toEqual([looksAtStop, 1]);
});

test('a poll stops at once while a look never ends', async () => {
  const stop = poll(1, () => new Promise(() => undefined));
  await sleep(5);
  const outcome = Promise.race([stop().then(() => 'stopped'), sleep(5_000, 'waits', { ref: false })]);
  expect(await outcome).toBe('stopped');
});

test('a tick is called again and again, and never after stop', async () => {
  let ticks = 0;
  const stop = runEvery(1, () => ticks++);
  while (ticks < 3) await sleep(1);
  stop();
  const ticksAtStop = ticks;
  await sleep(20);
  expect(ticks).toBe(ticksAtStop);
});
