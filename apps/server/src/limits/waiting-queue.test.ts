import { expect, test } from 'vitest';
import { createWaitingQueue } from './waiting-queue.ts';

const onDisplaced = () => expect.fail('a waiter was displaced');

test('accounts take turns; within one, first in, first out', () => {
  const queue = createWaitingQueue<string>({ total: 10, perAccount: 5 }, onDisplaced);
  for (const waiter of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) queue.add(waiter[0]!, waiter);
  const served: string[] = [];
  while (queue.length > 0) {
    const [next] = queue.turns();
    queue.rotate(next!);
    served.push(queue.shift(next!)!);
  }
  expect(served).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('one account cannot fill the queue, and the queue is bounded', () => {
  const queue = createWaitingQueue<string>({ total: 5, perAccount: 3 }, onDisplaced);
  expect(['1', '2', '3', '4'].map(waiter => queue.add('a', waiter))).toEqual([true, true, true, false]);
  expect(['1', '2', '3'].map(waiter => queue.add('b', waiter))).toEqual([true, true, false]);
  expect(queue.length).toBe(5);
});

test('a waiter that leaves makes room, and leaves once', () => {
  const queue = createWaitingQueue<string>({ total: 1, perAccount: 1 }, onDisplaced);
  queue.add('a', '1');
  expect(queue.remove('a', '1')).toBe(true);
  expect(queue.remove('a', '1')).toBe(false);
  expect([queue.length, queue.has('a'), queue.turns()]).toEqual([0, false, []]);
  expect(queue.add('b', '2')).toBe(true);
});

test('in a full queue the first waiter of an account displaces the last of the account with the most', () => {
  const displaced: string[] = [];
  const queue = createWaitingQueue<string>({ total: 5, perAccount: 3 }, waiter => displaced.push(waiter));
  for (const waiter of ['a1', 'a2', 'b1', 'b2', 'b3']) queue.add(waiter[0]!, waiter);
  expect(['c1', 'c2', 'd1', 'e1', 'f1'].map(waiter => queue.add(waiter[0]!, waiter))).toEqual([
    true,
    false,
    true,
    true,
    false,
  ]);
  expect(displaced).toEqual(['b3', 'a2', 'b2']);
  expect([queue.length, queue.turns()]).toEqual([5, ['a', 'b', 'c', 'd', 'e']]);
});
