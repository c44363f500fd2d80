import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Throttle } from './throttle.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a burst of 200 calls runs twice: at its beginning and after its end', async () => {
  const work = vi.fn(async () => {});
  const throttle = new Throttle(work, 2_000);
  for (let call = 0; call < 200; call++) {
    throttle.ask();
    await vi.advanceTimersByTimeAsync(5);
  }
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(work).toHaveBeenCalledTimes(2);
});

test('a slow run is not overtaken, and one that failed does not stop the next', async () => {
  const ends: ((error: Error) => void)[] = [];
  const throttle = new Throttle(() => new Promise((_, reject) => ends.push(reject)), 2_000);
  throttle.ask();
  throttle.ask();
  await vi.advanceTimersByTimeAsync(9_000);
  expect(ends).toHaveLength(1);
  ends[0]!(new Error('refused'));
  await vi.advanceTimersByTimeAsync(0);
  expect(ends).toHaveLength(2);
});

test('after its end nothing runs', async () => {
  const work = vi.fn(async () => {});
  const throttle = new Throttle(work, 2_000);
  throttle.ask();
  throttle.ask();
  throttle.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(work).toHaveBeenCalledTimes(1);
});
