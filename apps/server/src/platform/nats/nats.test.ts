import { expect, test } from 'vitest';
import { connectionOptions, createNats } from './nats.ts';

test('user, password and token are taken from the address, and the port has a default', () => {
  expect(connectionOptions('nats://u%40x:p%3Aw@a:4333, nats://b')).toMatchObject({
    servers: ['a:4333', 'b:4222'],
    user: 'u@x',
    pass: 'p:w',
  });
  expect(connectionOptions('nats://secret@a')).toMatchObject({ token: 'secret' });
  expect(connectionOptions('tls://a')).toMatchObject({ tls: {} });
});

test('without a server it is created at once, reports the failure, and closes', async () => {
  let onFailure: () => void = () => undefined;
  const failed = new Promise<void>(resolve => {
    onFailure = resolve;
  });
  const nats = createNats('nats://127.0.0.1:9', status => status.kind === 'failed' && onFailure());
  expect(nats.connection()).toBeNull();
  await failed;
  await expect(nats.whenConnected(AbortSignal.timeout(20))).rejects.toThrow();
  await nats.close();
  await expect(nats.whenConnected(new AbortController().signal)).rejects.toThrow('closed');
});
