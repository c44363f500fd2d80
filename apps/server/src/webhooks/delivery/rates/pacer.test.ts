import { expect, test } from 'vitest';
import { createPacer } from './pacer.ts';

test('an attempt is sent at its reserved time; attempts that were delayed together are spaced almost by the rate', () => {
  const pacer = createPacer();
  const sentMs: number[] = [];
  // Nothing could be sent before 200. The order does not matter.
  for (const reservedMs of [0, 40, 20, 60, 100, 80, 1_000]) {
    const atMs = Math.max(200, pacer.dueMs('a', reservedMs, 20));
    pacer.noteSent('a', atMs);
    sentMs.push(atMs);
  }
  expect(sentMs).toEqual([200, 218, 236, 254, 272, 290, 1_000]);
  expect(pacer.dueMs('b', 20, 20)).toBe(20);
});

test('a late attempt does not delay the next one if there is room', () => {
  const pacer = createPacer();
  pacer.noteSent('a', 300);
  expect(pacer.dueMs('a', 320, 20)).toBe(320);
  expect(pacer.dueMs('a', 310, 0.1)).toBe(310);
});
