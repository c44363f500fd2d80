import { setTimeout as sleep } from 'node:timers/promises';
import { block } from '@signpost/testing/block.ts';
import { expect, test } from 'vitest';
import { TimeoutError, withTimeout } from './with-timeout.ts';

const never = new Promise<void>(() => undefined);

test('the value or the error of the promise, if it comes in time', async () => {
  expect(await withTimeout(50, Promise.resolve('value'))).toBe('value');
  await expect(withTimeout(50, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await withTimeout(400, sleep(250, 'late'))).toBe('late');
});

test.each([20, 100, 250])('without an answer there is an error after %i ms', async ms => {
  const startMs = performance.now();
  await expect(withTimeout(ms, never)).rejects.toThrow(new TimeoutError(ms));
  // A timer may be a millisecond early.
  expect(performance.now() - startMs).toBeGreaterThan(ms - 5);
});

test('time during which the process was stalled does not count', async () => {
  const answer = withTimeout(500, sleep(700, 'answer'));
  await sleep(20);
  block(600);
  expect(await answer).toBe('answer');
});

test('an answer that arrived while the process was stalled counts, however short the time', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const answer = withTimeout(20, promise);
  await sleep(5);
  setTimeout(() => setImmediate(() => resolve('answer')), 10);
  block(100);
  expect(await answer).toBe('answer');
});
