import { expect, test } from 'vitest';
import { createBalance } from './ownership.ts';

const looks = (count: number, look: () => readonly number[]) => Array.from({ length: count }, look);

test('a process with more than its share gives up the surplus, once that has lasted', () => {
  const balance = createBalance();
  const all = { own: [0, 1, 2, 3, 4], processes: 2 };
  expect(looks(4, () => balance.surplus(all, 5))).toEqual([[], [], [], [0, 1]]);
  expect(looks(8, () => balance.surplus({ own: [2, 3, 4], processes: 2 }, 5)).flat()).toEqual([]);
});

test('a process that took over from one that died keeps the shards: by the last look the dead one is no longer counted', () => {
  const balance = createBalance();
  const own = [0, 1, 2, 3];
  expect(looks(3, () => balance.surplus({ own, processes: 2 }, 4)).flat()).toEqual([]);
  expect(looks(9, () => balance.surplus({ own, processes: 1 }, 4)).flat()).toEqual([]);
});

test('a shard that nobody else took is kept for a minute', () => {
  let nowMs = 0;
  const balance = createBalance(() => nowMs);
  const all = { own: [0, 1], processes: 2 };
  expect(looks(4, () => balance.surplus(all, 2)).flat()).toEqual([0]);
  // The other process takes shard 1 instead, if it takes any.
  expect(looks(4, () => balance.surplus(all, 2)).flat()).toEqual([1]);
  expect(looks(12, () => balance.surplus(all, 2)).flat()).toEqual([]);
  nowMs = 60_000;
  expect(looks(4, () => balance.surplus(all, 2)).flat()).toEqual([0]);
});

test('without an announcement of any process nothing is given up', () => {
  const balance = createBalance();
  expect(looks(9, () => balance.surplus({ own: [0, 1], processes: 0 }, 2)).flat()).toEqual([]);
});
