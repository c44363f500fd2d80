import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createDatabaseClock, type DatabaseClock } from './database-clock.ts';

const dayMs = 86_400_000;
/** PostgreSQL's time passes with the monotonic clock; the machine's may be anything. */
let [databaseMs, steadyMs, aheadMs] = [0, 0, 0];
let answer: () => Promise<number>;
let lines: string[];
let clock: DatabaseClock;

function pass(ms: number): void {
  databaseMs += ms;
  steadyMs += ms;
}

/** Time passes, and timers that are due run. */
async function advance(ms: number): Promise<void> {
  for (let done = 0; done < ms; done += 1_000) {
    pass(1_000);
    await vi.advanceTimersByTimeAsync(1_000);
  }
}

const wrongMs = () => clock.now().getTime() - databaseMs;

beforeEach(() => {
  vi.useFakeTimers();
  [databaseMs, steadyMs, aheadMs] = [Date.UTC(2026, 10, 15), 5_000, 0];
  answer = async () => databaseMs;
  lines = [];
  const note = (_fields: object, line?: string) => void lines.push(line ?? '');
  clock = createDatabaseClock({
    queryTime: () => answer(),
    logger: { info: note, warn: note } as never,
    wallMs: () => databaseMs + aheadMs,
    steadyMs: () => steadyMs,
  });
});
afterEach(() => {
  clock.stop();
  vi.useRealTimers();
});

describe('the time by PostgreSQL', () => {
  test.each([40 * dayMs, -40 * dayMs, 1_001, -1_001])(
    'is known however wrong the machine’s clock is: by %i ms',
    async ms => {
      aheadMs = ms;
      await clock.start();
      expect(wrongMs()).toBe(0);
      expect(clock.skewMs()).toBe(ms);
      await advance(60_000);
      expect(wrongMs()).toBe(0);
      expect(lines).toEqual(['clock differs from PostgreSQL']);
    },
  );

  test('is the machine’s while the two differ by no more than a second', async () => {
    aheadMs = 1_000;
    await clock.start();
    expect(wrongMs()).toBe(1_000);
    expect(lines).toEqual([]);
  });

  test('does not jump with the machine’s clock, neither at once nor while PostgreSQL is unavailable', async () => {
    await clock.start();
    aheadMs = 40 * dayMs;
    expect(wrongMs()).toBe(0);
    answer = () => Promise.reject(new Error('away'));
    await advance(600_000);
    expect(wrongMs()).toBe(0);
    expect(clock.skewMs()).toBe(40 * dayMs);
    aheadMs = 0;
    answer = async () => databaseMs;
    await advance(11_000);
    expect(lines).toEqual(['clock differs from PostgreSQL', 'clock agrees with PostgreSQL again']);
  });

  test('is measured again within a second of a jump: a machine that slept wakes with a right clock and a late monotonic one', async () => {
    await clock.start();
    databaseMs += 3_600_000;
    expect(wrongMs()).toBe(-3_600_000);
    await advance(1_000);
    expect(wrongMs()).toBe(0);
    expect(lines).toEqual([]);
  });

  test('is taken from the middle between query and answer; an answer that took over a second is ignored', async () => {
    aheadMs = 60_000;
    const slow = (ms: number) => async () => {
      pass(ms / 2);
      const then = databaseMs;
      pass(ms / 2);
      return then;
    };
    answer = slow(1_002);
    await clock.start();
    expect(clock.skewMs()).toBeNull();
    answer = slow(900);
    await advance(1_000);
    expect(clock.skewMs()).toBe(60_000);
    expect(wrongMs()).toBe(0);
  });

  test('is the machine’s before the first measurement, which is tried every second', async () => {
    aheadMs = 40 * dayMs;
    answer = () => Promise.reject(new Error('away'));
    await clock.start();
    expect(wrongMs()).toBe(aheadMs);
    expect(clock.skewMs()).toBeNull();
    await advance(5_000);
    expect(lines).toEqual([]);
    answer = async () => databaseMs;
    await advance(1_000);
    expect(wrongMs()).toBe(0);
  });

  test('does not delay the start while PostgreSQL does not answer', async () => {
    answer = () => new Promise(() => undefined);
    const started = clock.start();
    await vi.advanceTimersByTimeAsync(1_100);
    await started;
    expect(clock.skewMs()).toBeNull();
  });

  test('is warned about once while the difference wavers around a second', async () => {
    for (const ms of [1_100, 900, 1_100, 900]) {
      aheadMs = ms;
      await (ms === 1_100 && lines.length === 0 ? clock.start() : advance(11_000));
    }
    expect(lines).toEqual(['clock differs from PostgreSQL']);
  });
});
