import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { redisUrl } from '../../../../test/support/database.ts';
import { waitUntil } from '../../../../tools/engines/wait.ts';
import { AppError } from '../kernel/errors.ts';
import { type ClickHouse, createClickHouse } from '../platform/clickhouse.ts';
import { createRedis, type RedisClient } from '../platform/redis.ts';
import { createPlaces } from './places.ts';
import { createQuestions, type Questions } from './questions.ts';
import { createShare, type Share } from './share.ts';

let dir: string;
let clickhouse: ClickHouse;
let redis: RedisClient;
let share: Share;
let questions: Questions;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'signpost-chdb-'));
  clickhouse = await createClickHouse(`chdb://${dir}`);
  redis = createRedis({ redisUrl, redisTimeoutMs: 10_000 }, () => {});
  await once(redis, 'ready');
  const places = createPlaces({ redis, kind: 'chdb', perAccount: 2, timeoutMs: 10_000, onAway() {} });
  share = createShare({
    places,
    inAll: 4,
    room: { inAll: 4, perAccount: 2 },
    waitMs: 10_000,
    refusal: () => new AppError('rate_limit_exceeded', 'Try again.', { retryAfterSeconds: 1 }),
    onRefused() {},
  });
  questions = createQuestions(clickhouse, share);
  await clickhouse.query('select 1');
});
afterAll(async () => {
  share.close();
  redis.disconnect();
  await clickhouse.close();
  await rm(dir, { recursive: true, force: true });
});

/** Works for a second, whatever anybody says. */
const long = 'select sum(sleepEachRow(0.05)) as slept from numbers(20)';
const longMs = 1000;

describe('the engine in the process', () => {
  test('works on after its caller has left, and the place is taken until it is done', async () => {
    const caller = new AbortController();
    const start = performance.now();
    let isAsked = false;
    const asked = questions.by(randomUUID(), { most: 2, signal: caller.signal }, asker => {
      isAsked = true;
      return Promise.all([asker.query(long), asker.query('select 1 as one')]);
    });
    await waitUntil('the engine is asked', async () => isAsked);
    caller.abort(new Error('hung up'));
    await expect(asked).rejects.toThrow('hung up');
    expect(performance.now() - start).toBeLessThan(longMs);
    expect(share.inUse).toBeGreaterThan(0);
    await waitUntil('no place is taken', async () => share.inUse === 0);
    expect(performance.now() - start).toBeGreaterThanOrEqual(0.9 * longMs);
  });

  test('answers a question that is out of time at once, and keeps its place until it is done', async () => {
    const start = performance.now();
    const asked = questions.by(randomUUID(), {}, asker => asker.query(long, {}, { timeoutMs: 100 }));
    await expect(asked).rejects.toMatchObject({ code: 'timeout' });
    expect(performance.now() - start).toBeLessThan(longMs);
    expect(share.inUse).toBe(1);
    await waitUntil('no place is taken', async () => share.inUse === 0);
    expect(performance.now() - start).toBeGreaterThanOrEqual(0.9 * longMs);
  });

  test('gives all places back after questions one after the other, good and bad', async () => {
    const account = randomUUID();
    const numbers = [1, 2, 3, 4, 5];
    const rows = await questions.by(account, { most: 2 }, asker =>
      Promise.all(numbers.map(n => asker.query<{ n: number }>('select {n: UInt8} as n', { n }))),
    );
    expect(rows.flat()).toEqual(numbers.map(n => ({ n })));
    const bad = questions.by(account, {}, asker =>
      Promise.all([asker.query('select nothing'), asker.query('select 1'), asker.query('select 2')]),
    );
    await expect(bad).rejects.toThrow();
    await waitUntil('no place is taken', async () => share.inUse === 0);
  });

  test('an export that is left holds its reader until the engine is done', async () => {
    const caller = new AbortController();
    const start = performance.now();
    const rows = clickhouse.stream(long, {}, { signal: caller.signal });
    const first = rows.next();
    caller.abort(new Error('hung up'));
    await expect(first).rejects.toThrow('hung up');
    expect(performance.now() - start).toBeGreaterThanOrEqual(0.9 * longMs);
  });
});
