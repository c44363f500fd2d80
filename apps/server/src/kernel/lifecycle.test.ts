import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLifecycle } from './lifecycle.ts';

test('what was opened last is closed first, and a failing closer stops nobody', async () => {
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

test('a closer is told how much of the time is left', async () => {
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
