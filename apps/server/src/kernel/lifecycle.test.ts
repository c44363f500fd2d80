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
