import { beforeAll, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../api/api-error.ts';
import type { BulkProgress } from './run-bulk.ts';

// The mode is kept in the browser, which these tests are not.
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} });
let runBulk: typeof import('./run-bulk.ts').runBulk;
beforeAll(async () => {
  ({ runBulk } = await import('./run-bulk.ts'));
});

const ids = Array.from({ length: 12 }, (_, n) => `qr_${n}`);
const options = (signal = new AbortController().signal) => {
  const progress: BulkProgress[] = [];
  const onProgress = (one: BulkProgress) => progress.push(one);
  return { progress, ids, batchSize: 5, onProgress, signal, wait: async () => {} };
};
const limited = new ApiError(429, 'rate_limit_exceeded', 'Wait.', { retryAfterSeconds: 3 });

describe('work on many codes', () => {
  test('is sent in batches, and adds up what was done and what failed', async () => {
    const sent: number[] = [];
    const { progress, ...rest } = options();
    const outcome = await runBulk({
      ...rest,
      send: async batch => {
        sent.push(batch.length);
        return { done: batch.length - 1, failures: [{ id: batch[0]!, message: 'A draft.' }] };
      },
    });
    expect(sent).toEqual([5, 5, 2]);
    expect(outcome).toMatchObject({ done: 9, stopped: false });
    expect(outcome.failures.map(({ id }) => id)).toEqual(['qr_0', 'qr_5', 'qr_10']);
    expect(progress.map(one => one.sent)).toEqual([0, 5, 10, 12]);
  });

  test('waits where the plan limits it, and then sends the same again', async () => {
    const { progress, ...rest } = options();
    const batches: (readonly string[])[] = [];
    const outcome = await runBulk({
      ...rest,
      send: async batch => {
        batches.push(batch);
        if (batches.length === 2) throw limited;
        return { done: batch.length, failures: [] };
      },
    });
    expect(outcome.done).toBe(12);
    expect(batches[1]).toEqual(batches[2]);
    expect(progress.some(({ waitUntil }) => waitUntil !== undefined)).toBe(true);
  });

  test('ends at any other refusal, with what was done before', async () => {
    const error = new ApiError(409, 'count_changed', 'Another number.');
    let calls = 0;
    const { progress: _, ...rest } = options();
    const outcome = await runBulk({
      ...rest,
      send: async batch => {
        if (++calls > 1) throw error;
        return { done: batch.length, failures: [] };
      },
    });
    expect(outcome).toEqual({ done: 5, failures: [], error, stopped: false });
    expect(calls).toBe(2);
  });

  test('stops between batches', async () => {
    const left = new AbortController();
    const { progress: _, ...rest } = options(left.signal);
    const outcome = await runBulk({
      ...rest,
      send: async batch => {
        left.abort();
        return { done: batch.length, failures: [] };
      },
    });
    expect(outcome).toEqual({ done: 5, failures: [], stopped: true });
  });
});
