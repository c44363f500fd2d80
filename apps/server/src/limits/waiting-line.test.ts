import { expect, test } from 'vitest';
import { createWaitingLine } from './waiting-line.ts';

const nobody = () => expect.fail('somebody was displaced');

test('accounts take turns; within one, who came first goes first', () => {
  const line = createWaitingLine<string>({ inAll: 10, perAccount: 5 }, nobody);
  for (const waiter of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) line.add(waiter[0]!, waiter);
  const served: string[] = [];
  while (line.length > 0) {
    const [next] = line.turns();
    line.pass(next!);
    served.push(line.shift(next!)!);
  }
  expect(served).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('one account cannot fill the line, and the line has an end', () => {
  const line = createWaitingLine<string>({ inAll: 5, perAccount: 3 }, nobody);
  expect(['1', '2', '3', '4'].map(waiter => line.add('a', waiter))).toEqual([true, true, true, false]);
  expect(['1', '2', '3'].map(waiter => line.add('b', waiter))).toEqual([true, true, false]);
  expect(line.length).toBe(5);
});

test('who leaves makes room, and leaves once', () => {
  const line = createWaitingLine<string>({ inAll: 1, perAccount: 1 }, nobody);
  line.add('a', '1');
  expect(line.remove('a', '1')).toBe(true);
  expect(line.remove('a', '1')).toBe(false);
  expect([line.length, line.has('a'), line.turns()]).toEqual([0, false, []]);
  expect(line.add('b', '2')).toBe(true);
});

test('in a full line the first of an account takes the room of the last of the one with the most', () => {
  const displaced: string[] = [];
  const line = createWaitingLine<string>({ inAll: 5, perAccount: 3 }, waiter => displaced.push(waiter));
  for (const waiter of ['a1', 'a2', 'b1', 'b2', 'b3']) line.add(waiter[0]!, waiter);
  expect(['c1', 'c2', 'd1', 'e1', 'f1'].map(waiter => line.add(waiter[0]!, waiter))).toEqual([
    true,
    false,
    true,
    true,
    false,
  ]);
  expect(displaced).toEqual(['b3', 'a2', 'b2']);
  expect([line.length, line.turns()]).toEqual([5, ['a', 'b', 'c', 'd', 'e']]);
});
