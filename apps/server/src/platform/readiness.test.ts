import { expect, test } from 'vitest';
import { createReadiness } from './readiness.ts';

function setUp({ needsEngines = true, started = true } = {}) {
  const state = { nowMs: 0, checks: 0, isDown: false };
  const readiness = createReadiness({ needsEngines, nowMs: () => state.nowMs });
  readiness.add({
    name: 'postgres',
    needed: true,
    async check() {
      state.checks++;
      if (state.isDown) throw new Error('away');
    },
  });
  readiness.add({ name: 'redis', needed: false, check: () => Promise.reject(new Error('away')) });
  if (started) readiness.start();
  return { state, readiness };
}

test('a process is not ready without an engine that it needs, and ready without another', async () => {
  const { state, readiness } = setUp();
  expect(await readiness.report()).toEqual({ status: 'ready', parts: { postgres: 'ok', redis: 'away' } });
  state.isDown = true;
  state.nowMs = 1000;
  expect(await readiness.report()).toEqual({
    status: 'not ready',
    parts: { postgres: 'away', redis: 'away' },
  });
});

test('a process that serves short links is ready while every engine is down', async () => {
  const { state, readiness } = setUp({ needsEngines: false });
  state.isDown = true;
  expect(await readiness.report()).toEqual({ status: 'ready', parts: { postgres: 'away', redis: 'away' } });
});

test('callers share a result for a second, and so do callers that wait for it', async () => {
  const { state, readiness } = setUp();
  await Promise.all(Array.from({ length: 1000 }, () => readiness.report()));
  expect(state.checks).toBe(1);
  state.nowMs = 999;
  await readiness.report();
  expect(state.checks).toBe(1);
  state.nowMs = 1000;
  await readiness.report();
  expect(state.checks).toBe(2);
});

test('a check that hangs is shared for as long as it takes', async () => {
  const { state, readiness } = setUp();
  const { promise, resolve } = Promise.withResolvers<void>();
  readiness.add({ name: 'nats', needed: false, check: () => promise });
  const first = readiness.report();
  state.nowMs = 60_000;
  const second = readiness.report();
  resolve();
  expect(await second).toEqual(await first);
  expect(state.checks).toBe(1);
});

test('a process is not ready before it has started, nor once it stops', async () => {
  const { readiness } = setUp({ started: false });
  expect((await readiness.report()).status).toBe('starting');
  readiness.start();
  expect((await readiness.report()).status).toBe('ready');
  readiness.stop();
  expect((await readiness.report()).status).toBe('stopping');
});

test('of two checks with the same name the first is used', async () => {
  const { readiness } = setUp();
  readiness.add({ name: 'postgres', needed: true, check: () => Promise.reject(new Error('another')) });
  expect((await readiness.report()).parts.postgres).toBe('ok');
});
