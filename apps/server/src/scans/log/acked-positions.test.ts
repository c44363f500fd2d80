import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { expect, onTestFinished, test } from 'vitest';
import type { NatsStatus } from '../../platform/nats/nats.ts';
import { createAckedPositions } from './acked-positions.ts';

function open() {
  const written: [created: string, position: number][] = [];
  const fake = {
    created: 'log 1',
    isAway: false,
    refused: 0,
    reads: 0,
    last: 100,
    tell: (_: NatsStatus) => {},
  };
  const positions = createAckedPositions({
    nats: {
      onStatus(listener) {
        fake.tell = listener;
        return () => true;
      },
    },
    readState: async () => {
      fake.reads++;
      return { createdAt: fake.created, lastPosition: fake.last };
    },
    write: async (created, position) => {
      if (fake.isAway) {
        fake.refused++;
        throw new Error('PostgreSQL is away');
      }
      written.push([created, position]);
    },
    everyMs: 20,
  });
  onTestFinished(() => positions.stop());
  return { written, fake, positions };
}

test('the last position before a disconnect is written at once, for the log that it was in', async () => {
  const { written, fake, positions } = open();
  positions.acked(7);
  await waitUntil('the log is known', () => written.length === 1);
  for (const position of [8, 9]) positions.acked(position);
  fake.tell({ kind: 'disconnected' });
  fake.created = 'log 2';
  positions.acked(20);
  await waitUntil('both are written', () => written.some(([created]) => created === 'log 2'));
  expect(written).toEqual([
    ['log 1', 7],
    ['log 1', 9],
    ['log 2', 20],
  ]);
});

test('positions that start over end the previous log', async () => {
  const { written, fake, positions } = open();
  positions.acked(50);
  await waitUntil('the log is known', () => written.length === 1);
  positions.acked(51);
  fake.created = 'log 2';
  positions.acked(1);
  await waitUntil('all are written', () => written.length === 3);
  expect(written).toEqual([
    ['log 1', 50],
    ['log 1', 51],
    ['log 2', 1],
  ]);
});

test('a position that may belong to either of two logs is not written', async () => {
  const { written, fake, positions } = open();
  positions.acked(50);
  await waitUntil('the log is known', () => written.length === 1);
  // Deleted and created again, and grown past the old one between two acks of this process.
  fake.created = 'log 2';
  positions.acked(60);
  await waitUntil('the state is read', () => fake.reads > 1);
  positions.acked(61);
  await waitUntil('it knows the new log', () => written.length === 2);
  expect(written).toEqual([
    ['log 1', 50],
    ['log 2', 61],
  ]);
});

test('a position that a new log has not reached belongs to the old one', async () => {
  const { written, fake, positions } = open();
  positions.acked(50);
  await waitUntil('the log is known', () => written.length === 1);
  [fake.created, fake.last] = ['log 2', 3];
  positions.acked(60);
  await waitUntil('it is written', () => written.length === 2);
  expect(written[1]).toEqual(['log 1', 60]);
});

test('positions that PostgreSQL did not take are written when it is back, and none twice', async () => {
  const { written, fake, positions } = open();
  fake.isAway = true;
  positions.acked(5);
  await waitUntil('it was refused, and again', () => fake.refused > 1);
  fake.isAway = false;
  await waitUntil('it is written', () => written.length === 1);
  await positions.stop();
  expect(written).toEqual([['log 1', 5]]);
});
