import { expect, onTestFinished, test } from 'vitest';
import { waitUntil } from '../../../../tools/engines/wait.ts';
import type { NatsStatus } from '../platform/nats.ts';
import { createAckedPositions } from './acked-positions.ts';

function open() {
  const written: [created: string, position: number][] = [];
  const world = {
    created: 'log 1',
    isAway: false,
    refused: 0,
    looks: 0,
    last: 100,
    tell: (_: NatsStatus) => {},
  };
  const positions = createAckedPositions({
    nats: {
      onStatus(listener) {
        world.tell = listener;
        return () => true;
      },
    },
    look: async () => {
      world.looks++;
      return { createdAt: world.created, lastPosition: world.last };
    },
    write: async (created, position) => {
      if (world.isAway) {
        world.refused++;
        throw new Error('PostgreSQL is away');
      }
      written.push([created, position]);
    },
    everyMs: 20,
  });
  onTestFinished(() => positions.stop());
  return { written, world, positions };
}

test('the last position before NATS went is written down at once, and goes with the log that it was in', async () => {
  const { written, world, positions } = open();
  positions.acked(7);
  await waitUntil('the log is known', () => written.length === 1);
  for (const position of [8, 9]) positions.acked(position);
  world.tell({ kind: 'disconnected' });
  world.created = 'log 2';
  positions.acked(20);
  await waitUntil('both are written', () => written.some(([created]) => created === 'log 2'));
  expect(written).toEqual([
    ['log 1', 7],
    ['log 1', 9],
    ['log 2', 20],
  ]);
});

test('positions that begin again end the log before', async () => {
  const { written, world, positions } = open();
  positions.acked(50);
  await waitUntil('the log is known', () => written.length === 1);
  positions.acked(51);
  world.created = 'log 2';
  positions.acked(1);
  await waitUntil('all are written', () => written.length === 3);
  expect(written).toEqual([
    ['log 1', 50],
    ['log 1', 51],
    ['log 2', 1],
  ]);
});

test('a position that may be of either of two logs is not written down', async () => {
  const { written, world, positions } = open();
  positions.acked(50);
  await waitUntil('the log is known', () => written.length === 1);
  // Deleted and made again, and grown further than before between two acks of this process.
  world.created = 'log 2';
  positions.acked(60);
  await waitUntil('it has looked', () => world.looks > 1);
  positions.acked(61);
  await waitUntil('it knows the new log', () => written.length === 2);
  expect(written).toEqual([
    ['log 1', 50],
    ['log 2', 61],
  ]);
});

test('a position that a new log does not have yet is of the old one', async () => {
  const { written, world, positions } = open();
  positions.acked(50);
  await waitUntil('the log is known', () => written.length === 1);
  [world.created, world.last] = ['log 2', 3];
  positions.acked(60);
  await waitUntil('it is written', () => written.length === 2);
  expect(written[1]).toEqual(['log 1', 60]);
});

test('what PostgreSQL does not take is written when it is back, and no position twice', async () => {
  const { written, world, positions } = open();
  world.isAway = true;
  positions.acked(5);
  await waitUntil('it was refused, and again', () => world.refused > 1);
  world.isAway = false;
  await waitUntil('it is written', () => written.length === 1);
  await positions.stop();
  expect(written).toEqual([['log 1', 5]]);
});
