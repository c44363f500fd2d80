import { expect, test } from 'vitest';
import { createReadiness } from './readiness.ts';

function scene({ needsEngines = true, started = true } = {}) {
  const state = { nowMs: 0, asked: 0, isAway: false };
  const readiness = createReadiness({ needsEngines, nowMs: () => state.nowMs });
  readiness.add({
    name: 'postgres',
    needed: true,
    async check() {
      state.asked++;
      if (state.isAway) throw new Error('away');
    },
  });
  readiness.add({ name: 'redis', needed: false, check: () => Promise.reject(new Error('away')) });
  if (started) readiness.start();
  return { state, readiness };
}

test('a process without something that it needs is not ready; without something else it is', async () => {
  const { state, readiness } = scene();
  expect(await readiness.report()).toEqual({ status: 'ready', parts: { postgres: 'ok', redis: 'away' } });
  state.isAway = true;
  state.nowMs = 1000;
  expect(await readiness.report()).toEqual({
    status: 'not ready',
    parts: { postgres: 'away', redis: 'away' },
  });
});

test('what answers scanners is ready while every engine is away', async () => {
  const { state, readiness } = scene({ needsEngines: false });
  state.isAway = true;
  expect(await readiness.report()).toEqual({ status: 'ready', parts: { postgres: 'away', redis: 'away' } });
});

test('everybody who asks within a second of an answer shares it, and so do those who ask meanwhile', async () => {
  const { state, readiness } = scene();
  await Promise.all(Array.from({ length: 1000 }, () => readiness.report()));
  expect(state.asked).toBe(1);
  state.nowMs = 999;
  await readiness.report();
  expect(state.asked).toBe(1);
  state.nowMs = 1000;
  await readiness.report();
  expect(state.asked).toBe(2);
});

test('a look that hangs is shared for as long as it takes', async () => {
  const { state, readiness } = scene();
  const { promise, resolve } = Promise.withResolvers<void>();
  readiness.add({ name: 'nats', needed: false, check: () => promise });
  const first = readiness.report();
  state.nowMs = 60_000;
  const second = readiness.report();
  resolve();
  expect(await second).toEqual(await first);
  expect(state.asked).toBe(1);
});

test('a process is not ready before it has started, nor once it stops', async () => {
  const { readiness } = scene({ started: false });
  expect((await readiness.report()).status).toBe('starting');
  readiness.start();
  expect((await readiness.report()).status).toBe('ready');
  readiness.stop();
  expect((await readiness.report()).status).toBe('stopping');
});

test('of two checks with one name the first is asked', async () => {
  const { readiness } = scene();
  readiness.add({ name: 'postgres', needed: true, check: () => Promise.reject(new Error('another')) });
  expect((await readiness.report()).parts.postgres).toBe('ok');
});
