import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSlidingWindows, steadyNowMs } from './sliding-windows.ts';

describe('sliding windows', () => {
  test('allow no more than the limit in any window, and refuse nothing that fits', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 200 }),
        (limit, gaps) => {
          let now = 1_000_000;
          const windows = createSlidingWindows({ windowMs: 60_000, maxKeys: 10, nowMs: () => now });
          const passed: number[] = [];
          for (const gap of gaps) {
            now += gap;
            const inWindow = passed.filter(time => time > now - 60_000).length;
            const { allowed } = windows.take('a', limit);
            expect(allowed).toBe(inWindow < limit);
            if (allowed) passed.push(now);
          }
        },
      ),
    );
  });

  test('a caller that waits as long as it was told is allowed', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 }),
        fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 60 }),
        (limit, gaps) => {
          let now = 5_000_000;
          const windows = createSlidingWindows({ windowMs: 60_000, maxKeys: 10, nowMs: () => now });
          for (const gap of gaps) {
            now += gap;
            const { allowed, retryAfterSeconds } = windows.take('a', limit);
            if (allowed) continue;
            expect(retryAfterSeconds).toBeGreaterThanOrEqual(1);
            now += retryAfterSeconds * 1000;
            expect(windows.take('a', limit).allowed).toBe(true);
          }
        },
      ),
    );
  });

  test('the headers count down, and the whole limit is available at the reset', () => {
    let now = 60_000;
    const windows = createSlidingWindows({ windowMs: 60_000, maxKeys: 10, nowMs: () => now });
    expect(windows.look('a', 3)).toMatchObject({ remaining: 3, resetAtSeconds: 60 });
    expect(windows.take('a', 3)).toMatchObject({ remaining: 2, resetAtSeconds: 120 });
    now += 1500;
    const last = windows.take('a', 3);
    expect(last).toMatchObject({ remaining: 1, resetAtSeconds: 122 });
    now = last.resetAtSeconds * 1000;
    expect(windows.look('a', 3).remaining).toBe(3);
  });

  test('a limit that was lowered holds at once', () => {
    let now = 0;
    const windows = createSlidingWindows({ windowMs: 60_000, maxKeys: 10, nowMs: () => now });
    for (let i = 0; i < 10; i++) {
      now += 1000;
      windows.take('a', 10);
    }
    expect(windows.take('a', 2)).toMatchObject({ allowed: false, remaining: 0, retryAfterSeconds: 59 });
  });

  test('noted calls count, and keys beyond the maximum are forgotten', () => {
    const windows = createSlidingWindows({ windowMs: 60_000, maxKeys: 2, nowMs: () => 0 });
    windows.note('a');
    expect(windows.look('a', 1).allowed).toBe(false);
    windows.note('b');
    expect(windows.look('a', 1).allowed).toBe(false);
    windows.note('c');
    expect(windows.look('a', 1).allowed).toBe(true);
    expect(windows.look('b', 1).allowed).toBe(false);
    expect(windows.look('c', 1).allowed).toBe(false);
  });

  test('the key that was used longest ago is forgotten', () => {
    let now = 0;
    const windows = createSlidingWindows({ windowMs: 60_000, maxKeys: 2, nowMs: () => now });
    windows.take('a', 9);
    windows.take('b', 9);
    windows.take('a', 9);
    windows.take('c', 9);
    expect(['a', 'b', 'c'].map(key => windows.look(key, 9).remaining)).toEqual([7, 9, 8]);
    now = 60_000;
    windows.take('b', 9);
    windows.take('d', 9);
    expect(['b', 'd'].map(key => windows.look(key, 9).remaining)).toEqual([8, 8]);
  });

  test('looking counts no call', () => {
    const windows = createSlidingWindows({ windowMs: 60_000, maxKeys: 2, nowMs: () => 0 });
    for (let i = 0; i < 3; i++) expect(windows.look('a', 1)).toMatchObject({ allowed: true, remaining: 1 });
    expect(windows.take('a', 1)).toMatchObject({ allowed: true, remaining: 0, retryAfterSeconds: 0 });
    expect(windows.look('a', 1)).toMatchObject({ allowed: false, remaining: 0, retryAfterSeconds: 60 });
  });

  test('the clock is close to the system clock, and never goes back', () => {
    const [one, two] = [steadyNowMs(), steadyNowMs()];
    expect(Math.abs(one - Date.now())).toBeLessThan(60_000);
    expect(two).toBeGreaterThanOrEqual(one);
    const windows = createSlidingWindows({ windowMs: 60_000, maxKeys: 2 });
    expect(Math.abs(windows.take('a', 1).resetAtSeconds - Date.now() / 1000 - 60)).toBeLessThan(5);
  });
});
