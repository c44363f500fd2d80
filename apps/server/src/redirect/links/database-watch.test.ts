import { setTimeout as sleep } from 'node:timers/promises';
import { block } from '@signpost/testing/block.ts';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { DatabaseWatch } from './database-watch.ts';

class Refused extends Error {}
const silenceMs = 120;

let changes: boolean[];
let probes: number;
let answers: boolean;
let watch: DatabaseWatch;

/** Never resolves while there is silence. */
const answer = () => (answers ? Promise.resolve() : new Promise<void>(() => undefined));

beforeEach(() => {
  changes = [];
  probes = 0;
  answers = true;
  watch = new DatabaseWatch({
    probe: () => {
      probes++;
      return answer();
    },
    isRefusal: error => error instanceof Refused,
    isUnreachable: error => error instanceof Refused,
    silenceMs,
    onChange: silent => changes.push(silent),
  });
  onTestFinished(() => watch.stop());
});

test('while queries are answered there is no silence, however much time lies between them', async () => {
  await watch.track(answer);
  await sleep(2 * silenceMs);
  expect(watch.silentMs()).toBe(0);
  expect(changes).toEqual([]);
});

test('an unanswered query is a silence, with one probe under way until the answer', async () => {
  answers = false;
  void watch.track(answer);
  await vi.waitFor(() => expect(changes).toEqual([true]));
  expect(watch.silentMs()).toBeGreaterThanOrEqual(silenceMs);
  await sleep(2 * silenceMs);
  expect(probes).toBe(1);
  answers = true;
  await watch.track(answer);
  expect(changes).toEqual([true, false]);
  expect(watch.silentMs()).toBeLessThan(silenceMs);
});

test('a single query that hangs is no silence while probes are answered', async () => {
  answers = false;
  void watch.track(answer);
  answers = true;
  await sleep(5 * silenceMs);
  expect(probes).toBeGreaterThan(1);
  expect(changes).toEqual([]);
});

test('a far PostgreSQL is silent later, but a probe of it goes out as early as of a near one', async () => {
  const roundTripMs = 200;
  let sent = 0;
  const far = new DatabaseWatch({
    probe: () => {
      sent++;
      return answers ? sleep(roundTripMs) : answer();
    },
    isRefusal: () => false,
    isUnreachable: () => false,
    silenceMs,
    limitMs: () => 2 * roundTripMs + 60,
    onChange: silent => changes.push(silent),
  });
  onTestFinished(() => far.stop());
  const hanging = new Promise<void>(() => undefined);
  // Another connection answers meanwhile, so one that hangs is no silence.
  void far.track(() => hanging);
  await sleep(silenceMs);
  expect([sent, far.silentMs()]).toEqual([1, 0]);
  await sleep(3 * roundTripMs);
  expect(changes).toEqual([]);
  answers = false;
  const startMs = performance.now();
  await vi.waitFor(() => expect(changes).toEqual([true]), { timeout: 3000, interval: 10 });
  expect(performance.now() - startMs).toBeGreaterThan(silenceMs);
});

test('a refusal is a silence at once, and probes go on', async () => {
  await expect(watch.track(() => Promise.reject(new Refused()))).rejects.toThrow(Refused);
  await vi.waitFor(() => expect(changes).toEqual([true, false]));
});

test('an error that is an answer is no silence', async () => {
  await expect(watch.track(() => Promise.reject(new Error('no such table')))).rejects.toThrow(
    'no such table',
  );
  expect(watch.silentMs()).toBe(0);
});

test('time during which the process itself was stalled does not count', async () => {
  answers = false;
  void watch.track(answer);
  await sleep(silenceMs / 3);
  block(4 * silenceMs);
  expect(watch.silentMs()).toBeLessThan(silenceMs);
  expect(changes).toEqual([]);
});

test('a silence that was found before the process stalled has to be found again', async () => {
  answers = false;
  void watch.track(answer);
  await vi.waitFor(() => expect(changes).toEqual([true]));
  block(300);
  expect(watch.silentMs()).toBeLessThan(silenceMs);
  let isFoundAgain = false;
  watch.onSilence(silenceMs, () => {
    isFoundAgain = true;
  });
  await vi.waitFor(() => expect(isFoundAgain).toBe(true));
});

test('an event loop that is always late still finds a silence', async () => {
  answers = false;
  void watch.track(answer);
  const busy = setInterval(() => block(35), 1);
  onTestFinished(() => clearInterval(busy));
  await vi.waitFor(() => expect(changes).toEqual([true]), { timeout: 20_000 });
});

test('an idle process finds a silence without a scan', async () => {
  watch.start();
  answers = false;
  await vi.waitFor(() => expect(changes).toEqual([true]), { timeout: 5000 });
});
