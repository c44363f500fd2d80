import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Changes } from './change.ts';
import { createChangeMessages } from './change-messages.ts';

function open(intervalMs: number) {
  const sent: Changes[] = [];
  const messages = createChangeMessages<number>({
    async send(changes) {
      sent.push(changes);
      return sent.length;
    },
    intervalMs: () => intervalMs,
    worst: outcomes => Math.max(...outcomes),
  });
  return { sent, add: (...keys: string[]) => messages.add({ keys, stops: [] }), messages };
}

test('the first change is sent at once, those within the interval together', async () => {
  const { sent, add } = open(50);
  const first = add('a');
  expect(sent).toHaveLength(1);
  const others = [add('b'), add('c')];
  expect(sent).toHaveLength(1);
  expect(await first).toBe(1);
  expect(await Promise.all(others)).toEqual([2, 2]);
  expect(sent.map(({ keys }) => keys)).toEqual([['a'], ['b', 'c']]);
  await sleep(60);
  void add('d');
  expect(sent).toHaveLength(3);
});

test('stops and links share a message', async () => {
  const { sent, add, messages } = open(20);
  await add('a');
  const stop = { subject: 'account/x', reason: 'held', n: 1 } as const;
  await Promise.all([add('b'), messages.add({ keys: [], stops: [stop] })]);
  expect(sent[1]).toMatchObject({ keys: ['b'], stops: [stop] });
});

test('many changes are sent in several messages, and all outcomes count', async () => {
  const { sent, add } = open(5);
  const keys = Array.from({ length: 5000 }, (_, i) => `k${i}`);
  expect(await add(...keys)).toBe(sent.length);
  expect(sent.length).toBeGreaterThan(2);
  expect(sent.flatMap(message => message.keys)).toEqual(keys);
  for (const message of sent) expect(message.keys.length).toBeLessThanOrEqual(2000);
});

test('a failure is that of every caller in the message, and of no other', async () => {
  let fails = true;
  const messages = createChangeMessages<string>({
    async send() {
      if (fails) throw new Error('refused');
      return 'done';
    },
    intervalMs: () => 0,
    worst: ([outcome]) => outcome!,
  });
  await expect(messages.add({ keys: ['a'], stops: [] })).rejects.toThrow('refused');
  fails = false;
  expect(await messages.add({ keys: ['a'], stops: [] })).toBe('done');
});
