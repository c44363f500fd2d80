import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errors } from '@nats-io/transport-node';
import { expect, onTestFinished, test } from 'vitest';
import { formatAddresses } from '../../kernel/addresses/engine-address.ts';
import { TimeoutError } from '../../kernel/running/with-timeout.ts';
import { MigrationsDiffer } from '../postgres/migration-files.ts';
import { diagnoseError, diagnoseThoroughly } from './engine-diagnosis.ts';

const coded = (code: string, message: string) => Object.assign(new Error(message), { code });

test.each([
  ['postgres', 'postgres://u@db/x', coded('58030', 'could not read block 7'), /could not read block 7/],
  ['postgres', 'postgres://u@db/x', coded('XX000', 'cache lookup failed'), /cache lookup failed/],
  ['postgres', 'postgres://u@db/x', coded('55000', 'is not accepting'), /is not accepting/],
  ['redis', 'redis://cache', new Error('ERR upstream failure'), /ERR upstream failure/],
  ['redis', 'redis://cache', new Error('NOREPLICAS Not enough good replicas'), /NOREPLICAS/],
  ['nats', 'nats://bus', new errors.RequestError('connection closed'), /does not answer in time/],
  ['nats', 'nats://bus', new errors.AuthorizationError('Authentication Timeout'), /Authentication Timeout/],
] as const)('an unknown error of %s at %s may pass by itself: %s', (engine, address, error, words) => {
  const fault = diagnoseError(engine, address, error);
  expect(fault).toMatchObject({ kind: 'outage', sentence: expect.stringMatching(words) });
});

test('a database of another version is not diagnosed as an outage', () => {
  expect(diagnoseError('postgres', 'postgres://u@db/x', new MigrationsDiffer('lacks 1'))).toBeNull();
});

test.each([
  [503, 'outage'],
  [426, 'outage'],
  [404, 'misconfiguration'],
])('a proxy that answers %i instead of an engine is diagnosed as %s', async (status, kind) => {
  const proxy = createServer((_request, response) => response.writeHead(status).end());
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  const { port } = proxy.address() as AddressInfo;
  const fault = await diagnoseThoroughly('redis', `redis://127.0.0.1:${port}`, new TimeoutError(1));
  expect(fault?.kind).toBe(kind);
});

test('a socket is shown without what follows its path', () => {
  expect(formatAddresses('redis', '/run/redis.sock?password=hunter2')).toBe('/run/redis.sock');
});
