import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLifecycle } from './lifecycle.ts';
import { runService } from './run-service.ts';

test('what was opened last is closed first, and a failing closer does not stop the others', async () => {
  const lifecycle = createLifecycle();
  const closed: string[] = [];
  lifecycle.defer('database', () => closed.push('database'));
  lifecycle.defer('cache', () => {
    throw new Error('stuck');
  });
  lifecycle.defer('server', async () => closed.push('server'));
  const failures = await lifecycle.close();
  expect(closed).toEqual(['server', 'database']);
  expect(failures.map(failure => failure.name)).toEqual(['cache']);
  expect(await lifecycle.close()).toEqual([]);
});

test('a closer gets the time that is left', async () => {
  const lifecycle = createLifecycle();
  const left: number[] = [];
  lifecycle.defer('late', leftMs => left.push(leftMs));
  lifecycle.defer('slow', async leftMs => {
    left.push(leftMs);
    await pause(20);
  });
  await lifecycle.close(1_000);
  expect(left[0]).toBeLessThanOrEqual(1_000);
  expect(left[0]! - left[1]!).toBeGreaterThanOrEqual(15);
});

test('all services drain before the first of them is waited for', async () => {
  const lifecycle = createLifecycle();
  const events: string[] = [];
  for (const name of ['first', 'second']) {
    runService(lifecycle, name, {
      start: () => events.push(`start ${name}`),
      drain: () => events.push(`drain ${name}`),
      stop: () => events.push(`stop ${name}`),
    });
  }
  await lifecycle.close();
  expect(events).toEqual([
    'start first',
    'start second',
    'drain first',
    'drain second',
    'stop second',
    'stop first',
  ]);
});

test('what works beside the requests starts when the start is released, and not at all after closing', async () => {
  const lifecycle = createLifecycle();
  const begun: string[] = [];
  lifecycle.whenStarted(() => begun.push('at once'));
  lifecycle.hold();
  lifecycle.whenStarted(() => begun.push('held'));
  expect(begun).toEqual(['at once']);
  lifecycle.release();
  lifecycle.whenStarted(() => begun.push('after'));
  expect(begun).toEqual(['at once', 'held', 'after']);
  lifecycle.hold();
  lifecycle.whenStarted(() => begun.push('too late'));
  await lifecycle.close();
  lifecycle.release();
  expect(begun).not.toContain('too late');
});
