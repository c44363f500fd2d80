import { expect, test } from 'vitest';
import { atMostEvery } from './at-most-every.ts';

test('the first call runs at once; within the interval calls are only counted', () => {
  let nowMs = 0;
  const each = atMostEvery(1_000, () => nowMs);
  const told: number[] = [];
  const call = () => each(skipped => told.push(skipped));
  call();
  nowMs = 999;
  call();
  call();
  nowMs = 1_000;
  call();
  nowMs = 5_000;
  call();
  expect(told).toEqual([0, 2, 0]);
});
