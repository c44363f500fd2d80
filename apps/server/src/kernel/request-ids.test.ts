import { expect, test } from 'vitest';
import { parseId } from './ids.ts';
import { createRequestIds, requestIdLength } from './request-ids.ts';

test('a request id has the form of every id: the UUID in it is of version 7 and has its time', () => {
  const nowMs = 1_800_000_000_123;
  const next = createRequestIds({ now: () => new Date(nowMs) });
  // More than the counter holds: the last ones borrow from the next millisecond.
  for (let n = 0; n < 5000; n++) {
    const id = next();
    expect(id).toHaveLength(requestIdLength);
    const uuid = parseId('req', id)!;
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const timeMs = Number.parseInt(uuid.replace('-', '').slice(0, 12), 16);
    expect(timeMs - nowMs).toBeGreaterThanOrEqual(0);
    expect(timeMs - nowMs).toBeLessThan(3);
  }
});

test('request ids are unique and sort by time, even within a millisecond', () => {
  let nowMs = 1_800_000_000_000;
  const next = createRequestIds({ now: () => new Date(nowMs) });
  const made = Array.from({ length: 20_000 }, (_, n) => {
    if (n % 6000 === 5999) nowMs += n > 12_000 ? -5 : 1;
    return next();
  });
  expect([...made].sort()).toEqual(made);
  expect(new Set(made).size).toBe(made.length);
});

test('a clock that is set back never repeats an id', () => {
  let nowMs = 1_800_000_000_000;
  const next = createRequestIds({ now: () => new Date(nowMs) });
  const fill = () => Array.from({ length: 4096 }, next);
  const before = fill();
  nowMs -= 86_400_000;
  next();
  nowMs += 86_400_000;
  expect(new Set([...before, ...fill()]).size).toBe(2 * 4096);
});

test('two processes create different ids in the same millisecond, and start their counters anywhere', () => {
  const clock = { now: () => new Date(1_800_000_000_000) };
  const first = Array.from({ length: 200 }, () => createRequestIds(clock)());
  expect(new Set(first.map(id => id.slice(-12))).size).toBe(200);
  expect(new Set(first.map(id => id.slice(14, 18))).size).toBeGreaterThan(100);
});
