import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errors } from '@nats-io/transport-node';
import { expect, onTestFinished, test } from 'vitest';
import { placesWords } from '../kernel/engine-address.ts';
import { OutOfTime } from '../kernel/within.ts';
import { explainError, explainFault } from './engine-faults.ts';
import { MigrationsDiffer } from './migration-files.ts';

const coded = (code: string, message: string) => Object.assign(new Error(message), { code });

test.each([
  ['postgres', 'postgres://u@db/x', coded('58030', 'could not read block 7'), /could not read block 7/],
  ['postgres', 'postgres://u@db/x', coded('XX000', 'cache lookup failed'), /cache lookup failed/],
  ['postgres', 'postgres://u@db/x', coded('55000', 'is not accepting'), /is not accepting/],
  ['redis', 'redis://cache', new Error('ERR upstream failure'), /ERR upstream failure/],
  ['redis', 'redis://cache', new Error('NOREPLICAS Not enough good replicas'), /NOREPLICAS/],
  ['nats', 'nats://bus', new errors.RequestError('connection closed'), /does not answer in time/],
  ['nats', 'nats://bus', new errors.AuthorizationError('Authentication Timeout'), /Authentication Timeout/],
  ['clickhouse', 'chdb:///tmp/x', new OutOfTime(3_000), /inside the process does not answer in time/],
] as const)(
  'what %s at %s says and nobody knows may pass by itself: %s',
  async (engine, address, error, words) => {
    const fault = await explainError(engine, address, error);
    expect(fault).toMatchObject({ kind: 'away', sentence: expect.stringMatching(words) });
  },
);

test('a database of another version is nothing to wait for', async () => {
  expect(await explainError('postgres', 'postgres://u@db/x', new MigrationsDiffer('lacks 1'))).toBeNull();
});

test.each([
  [503, 'away'],
  [426, 'away'],
  [404, 'wrong'],
])('a proxy that answers %i in the place of an engine is %s', async (status, kind) => {
  const proxy = createServer((_request, response) => response.writeHead(status).end());
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  const { port } = proxy.address() as AddressInfo;
  const fault = await explainFault('redis', `redis://127.0.0.1:${port}`, new OutOfTime(1));
  expect(fault?.kind).toBe(kind);
});

test('a socket is named without what follows its path', () => {
  expect(placesWords('redis', '/run/redis.sock?password=hunter2')).toBe('/run/redis.sock');
});
