import { expect, test } from 'vitest';
import { throttle } from './throttle.ts';

test('the first call runs at once; within the interval calls are only counted', () => {
  let nowMs = 0;
  const throttled = throttle(1_000, () => nowMs);
  const skippedCounts: number[] = [];
  const call = () => throttled(skipped => skippedCounts.push(skipped));
  call();
  nowMs = 999;
  call();
  call();
  nowMs = 1_000;
  call();
  nowMs = 5_000;
  call();
  expect(skippedCounts).toEqual([0, 2, 0]);
});
