import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createNats, type Nats } from './nats.ts';

let server: Engine;
let nats: Nats;
const kinds: string[] = [];

beforeAll(async () => {
  server = await startNats();
  await server.kill('SIGKILL');
  nats = createNats(server.url, status => kinds.push(status.kind));
});

afterAll(async () => {
  await nats.close();
  await server.remove();
});

const answers = async () => (await nats.whenConnected(AbortSignal.timeout(10_000))).flush().then(() => true);

test('a server that starts later is found, and one that restarts is found again', async () => {
  await waitUntil('an attempt has failed', () => kinds.includes('failed'));
  expect(nats.connection()).toBeNull();
  await server.start();
  await answers();
  await server.kill('SIGKILL');
  await waitUntil('the loss is noticed', () => nats.connection() === null);
  await server.start();
  await answers();
  expect(kinds.filter(kind => kind !== 'failed')).toEqual(['connected', 'disconnected', 'connected']);
});

test('a server that freezes is given up within seconds, even with full buffers, and found again', async () => {
  const connection = nats.connection()!;
  await server.kill('SIGSTOP');
  for (let i = 0; i < 32; i++) connection.publish('nobody', Buffer.alloc(500_000));
  await waitUntil('it is given up', () => nats.connection() === null, { timeoutMs: 15_000 });
  await server.kill('SIGCONT');
  await answers();
});

test('closing ends within its time limit, even while the server does not answer', async () => {
  const other = createNats(server.url);
  await other.whenConnected(AbortSignal.timeout(5000));
  await server.kill('SIGSTOP');
  const began = performance.now();
  await other.close(200);
  expect(performance.now() - began).toBeLessThan(1000);
  await server.kill('SIGCONT');
});
