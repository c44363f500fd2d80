import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { createCpuQueue, mapInTurns } from './cpu-queue.ts';

const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve));

test('tasks run in order, one per turn of the event loop, even after one that failed', async () => {
  const { run } = createCpuQueue();
  const ran: string[] = [];
  const pieces = ['first', 'second', 'third'].map(name =>
    run(() => {
      ran.push(name);
      if (name === 'second') throw new Error('broken');
      return name;
    }),
  );
  const settled = Promise.allSettled(pieces);
  const seen: number[] = [];
  while (ran.length < 3) {
    await nextTurn();
    seen.push(ran.length);
  }
  // Between two turns at most one task has run.
  for (const [at, count] of seen.entries()) expect(count - (seen[at - 1] ?? 0)).toBeLessThanOrEqual(1);
  expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(ran).toEqual(['first', 'second', 'third']);
});

test('lanes take turns, whatever waits in one of them', async () => {
  const { run } = createCpuQueue();
  const ran: string[] = [];
  const task = (name: string, lane?: string) => run(() => void ran.push(name), lane);
  const tasks = [task('a1', 'a'), task('a2', 'a'), task('a3', 'a'), task('none'), task('b1', 'b')];
  tasks.push(run(() => void run(() => void ran.push('inner'), 'b'), 'b'));
  await Promise.all(tasks);
  await nextTurn();
  expect(ran).toEqual(['a1', 'none', 'b1', 'a2', 'a3', 'inner']);
});

test('a list is converted in order, in turns of a few milliseconds', async () => {
  let turns = 0;
  const queue = createCpuQueue(async () => {
    turns++;
    await nextTurn();
  });
  const items = Array.from({ length: 40 }, (_, index) => index);
  const convert = (item: number, index: number) => {
    const endMs = performance.now() + 3;
    while (performance.now() < endMs);
    return `${item}:${index}`;
  };
  expect(await mapInTurns(items, convert, queue)).toEqual(items.map(item => `${item}:${item}`));
  // Two items of 3 ms fill a turn of 5 ms.
  expect(turns).toBeGreaterThanOrEqual(19);
  turns = 0;
  expect(await mapInTurns([1, 2, 3], convert, queue)).toEqual(['1:0', '2:1', '3:2']);
  expect(turns).toBeGreaterThanOrEqual(1);
  turns = 0;
  expect(await mapInTurns([1], item => item, queue)).toEqual([1]);
  expect(turns).toBe(0);
});

test('an item that fails ends the list', async () => {
  const items = Array.from({ length: 40 }, (_, index) => index);
  const failing = mapInTurns(items, item => {
    if (item === 20) throw new Error('broken');
  });
  await expect(failing).rejects.toThrow('broken');
});

test('other work runs between two tasks', async () => {
  const { run } = createCpuQueue();
  const busy = (ms: number) => {
    const endMs = performance.now() + ms;
    while (performance.now() < endMs);
  };
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await Promise.all(Array.from({ length: 20 }, () => run(() => busy(20))));
  delay.disable();
  // All in one turn would be 400 ms.
  expect(delay.max / 1e6).toBeLessThan(200);
});
