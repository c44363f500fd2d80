import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { lookEvery } from './look-every.ts';

test('looks again and again, one look at a time, and no more once it is ended', async () => {
  let [looks, atOnce, most] = [0, 0, 0];
  const stop = lookEvery(1, async () => {
    looks++;
    most = Math.max(most, ++atOnce);
    await pause(2);
    atOnce--;
  });
  while (looks < 3) await pause(1);
  await stop();
  const ended = looks;
  await pause(20);
  expect([looks, most]).toEqual([ended, 1]);
});

test('is ended at once beside a look that never ends', async () => {
  const stop = lookEvery(1, () => new Promise(() => undefined));
  await pause(5);
  expect(await Promise.race([stop().then(() => 'ended'), pause(5_000, 'waits', { ref: false })])).toBe(
    'ended',
  );
});
