import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWeightedWindows } from './weighted-windows.ts';

const windowMs = 1000;

function createFixture(maxKeys = 10) {
  const fixture = { nowMs: 0 };
  return { fixture, windows: createWeightedWindows({ windowMs, maxKeys, nowMs: () => fixture.nowMs }) };
}

test('no window holds more than the limit, and a caller that waits as long as it was told is allowed', () => {
  const call = fc.record({
    pauseMs: fc.integer({ min: 0, max: 600 }),
    weight: fc.integer({ min: 1, max: 10 }),
  });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 60 }), calls => {
      const { fixture, windows } = createFixture();
      const passed: { atMs: number; weight: number }[] = [];
      for (const { pauseMs, weight } of calls) {
        fixture.nowMs += pauseMs;
        const first = windows.take('a', 10, weight);
        if (!first.allowed) {
          const used = passed.filter(entry => entry.atMs > fixture.nowMs - windowMs);
          expect(first.used).toBe(used.reduce((sum, entry) => sum + entry.weight, 0));
          // A moment before, it would have been too early.
          fixture.nowMs += first.waitMs - 1;
          expect(windows.take('a', 10, weight).allowed).toBe(false);
          fixture.nowMs += 1;
          expect(windows.take('a', 10, weight).allowed).toBe(true);
        }
        passed.push({ atMs: fixture.nowMs, weight });
      }
      for (const { atMs } of passed) {
        const inWindow = passed.filter(entry => entry.atMs >= atMs && entry.atMs < atMs + windowMs);
        expect(inWindow.reduce((sum, entry) => sum + entry.weight, 0)).toBeLessThanOrEqual(10);
      }
    }),
  );
});

test('noted calls count, and weight that was not used is available again', () => {
  const { windows } = createFixture();
  const entry = windows.note('a', 8);
  expect(windows.take('a', 10, 3)).toMatchObject({ allowed: false, used: 8, waitMs: windowMs });
  entry.weight = 7;
  expect(windows.take('a', 10, 3).allowed).toBe(true);
  expect(windows.take('b', 10, 10).allowed).toBe(true);
});

test('keys beyond the maximum are forgotten', () => {
  const { windows } = createFixture(2);
  for (const key of ['a', 'b', 'c']) windows.take(key, 1, 1);
  expect(windows.take('a', 1, 1).allowed).toBe(true);
  expect(windows.take('c', 1, 1).allowed).toBe(false);
});
