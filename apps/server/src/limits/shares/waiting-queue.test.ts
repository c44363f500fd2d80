import { expect, test } from 'vitest';
import { createWaitingQueue } from './waiting-queue.ts';

const onDisplaced = () => expect.fail('a waiter was displaced');

test('accounts take turns; within one, first in, first out', () => {
  const queue = createWaitingQueue<string>({ total: 10, perAccount: 5 }, onDisplaced);
  for (const waiter of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) queue.add(waiter[0]!, waiter);
  const served: string[] = [];
  while (queue.length > 0) {
    const [next] = queue.turns();
    served.push(queue.shift(next!)!);
  }
  expect(served).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('an account that was given much waits longer for its next turn', () => {
  const queue = createWaitingQueue<string>({ total: 20, perAccount: 9 }, onDisplaced);
  for (const waiter of ['a1', 'a2', 'a3']) queue.add('a', waiter, { weight: 3 });
  for (const waiter of ['b1', 'b2', 'b3', 'b4', 'b5']) queue.add('b', waiter);
  const served: string[] = [];
  while (queue.length > 0) served.push(queue.shift(queue.turns()[0]!)!);
  expect(served).toEqual(['a1', 'b1', 'b2', 'b3', 'a2', 'b4', 'b5', 'a3']);
});

test('who comes later is not behind what others were given before', () => {
  const queue = createWaitingQueue<string>({ total: 20, perAccount: 9 }, onDisplaced);
  for (const waiter of ['a1', 'a2', 'a3']) queue.add('a', waiter, { weight: 8 });
  queue.shift('a');
  queue.add('b', 'b1');
  expect(queue.turns()).toEqual(['b', 'a']);
});

test('what waits in the background has its turn last', () => {
  const queue = createWaitingQueue<string>({ total: 20, perAccount: 9 }, onDisplaced);
  queue.add('public', 'p1', { isBackground: true });
  queue.add('a', 'a1');
  expect(queue.turns()).toEqual(['a', 'public']);
  expect(queue.othersBeside('b', false)).toEqual(['a']);
  expect(queue.othersBeside('b', true)).toEqual(['public', 'a']);
});

test('a part of admitted work is neither refused nor displaced, and takes no room', () => {
  const displaced: string[] = [];
  const queue = createWaitingQueue<string>({ total: 2, perAccount: 2 }, waiter => displaced.push(waiter));
  for (const waiter of ['a1', 'a2', 'a3']) expect(queue.add('a', waiter, { isAdmitted: true })).toBe(true);
  expect(['b1', 'b2', 'b3'].map(waiter => queue.add('b', waiter))).toEqual([true, true, false]);
  expect(queue.add('c', 'c1')).toBe(true);
  expect(displaced).toEqual(['b2']);
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
