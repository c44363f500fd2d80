import { expect, test } from 'vitest';
import { createPace } from './pace.ts';

test('a try goes at its moment; those that were held up together go nearly as far apart as the rate says', () => {
  const pace = createPace();
  const went: number[] = [];
  // Nothing could go before 200. In whatever order they come.
  for (const slotMs of [0, 40, 20, 60, 100, 80, 1_000]) {
    const atMs = Math.max(200, pace.dueMs('a', slotMs, 20));
    pace.went('a', atMs);
    went.push(atMs);
  }
  expect(went).toEqual([200, 218, 236, 254, 272, 290, 1_000]);
  expect(pace.dueMs('b', 20, 20)).toBe(20);
});

test('a try that was late makes none late that has room after it', () => {
  const pace = createPace();
  pace.went('a', 300);
  expect(pace.dueMs('a', 320, 20)).toBe(320);
  expect(pace.dueMs('a', 310, 0.1)).toBe(310);
});
