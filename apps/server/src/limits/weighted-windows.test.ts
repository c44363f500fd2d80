import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWeightedWindows } from './weighted-windows.ts';

const windowMs = 1000;

function createScene(maxKeys = 10) {
  const scene = { nowMs: 0 };
  return { scene, windows: createWeightedWindows({ windowMs, maxKeys, nowMs: () => scene.nowMs }) };
}

test('no window holds more than the limit, and who waits as told gets through', () => {
  const call = fc.record({
    pauseMs: fc.integer({ min: 0, max: 600 }),
    weight: fc.integer({ min: 1, max: 10 }),
  });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 60 }), calls => {
      const { scene, windows } = createScene();
      const passed: { atMs: number; weight: number }[] = [];
      for (const { pauseMs, weight } of calls) {
        scene.nowMs += pauseMs;
        const first = windows.take('a', 10, weight);
        if (!first.allowed) {
          const used = passed.filter(one => one.atMs > scene.nowMs - windowMs);
          expect(first.used).toBe(used.reduce((sum, one) => sum + one.weight, 0));
          // A moment before, it would have been too early.
          scene.nowMs += first.waitMs - 1;
          expect(windows.take('a', 10, weight).allowed).toBe(false);
          scene.nowMs += 1;
          expect(windows.take('a', 10, weight).allowed).toBe(true);
        }
        passed.push({ atMs: scene.nowMs, weight });
      }
      for (const { atMs } of passed) {
        const inWindow = passed.filter(one => one.atMs >= atMs && one.atMs < atMs + windowMs);
        expect(inWindow.reduce((sum, one) => sum + one.weight, 0)).toBeLessThanOrEqual(10);
      }
    }),
  );
});

test('what others let through counts, and what was not used is free again', () => {
  const { windows } = createScene();
  const entry = windows.note('a', 8);
  expect(windows.take('a', 10, 3)).toMatchObject({ allowed: false, used: 8, waitMs: windowMs });
  entry.weight = 7;
  expect(windows.take('a', 10, 3).allowed).toBe(true);
  expect(windows.take('b', 10, 10).allowed).toBe(true);
});

test('no more keys are remembered than were allowed for', () => {
  const { windows } = createScene(2);
  for (const key of ['a', 'b', 'c']) windows.take(key, 1, 1);
  expect(windows.take('a', 1, 1).allowed).toBe(true);
  expect(windows.take('c', 1, 1).allowed).toBe(false);
});
