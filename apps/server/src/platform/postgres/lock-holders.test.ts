import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { watchLockHolders } from './lock-holders.ts';

test('a migration does not hang while the query for what blocks it gets no answer', async () => {
  const silent = createServer(socket => socket.on('error', () => undefined));
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const holders = watchLockHolders(`postgres://postgres@127.0.0.1:${port}/x`, 1, () => undefined, 100);
  expect(await holders.during(() => pause(300, 'applied'))).toBe('applied');
  expect(holders.last()).toEqual([]);
  holders.close();
});
