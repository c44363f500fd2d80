import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { App } from '../app.ts';
import { maxReadAheadBytes } from './slow-reader.ts';
import { sendStream } from './streams.ts';

const byKey = { config: { authScheme: 'apiKey', permission: 'account:read' } } as const;

let api: TestApi;
let port: number;
let [slow, running] = [0, 0];

beforeAll(async () => {
  api = await createTestApi({}, { prepare: addFiles });
  await api.api.app.listen({ host: '127.0.0.1', port: 0 });
  port = (api.api.app.server.address() as AddressInfo).port;
});
afterAll(() => api.close());
beforeEach(() => {
  slow = 0;
});

/** So fast that a third of a send buffer, which the kernel takes at once, is more than the patience is worth. */
const slowReaders = { bytesPerSecond: 4 * 1024 * 1024, graceMs: 150, onAborted: () => slow++ };

/** A file without end, one whose writer takes longer than a reader may, one that is never sent, and a large one. */
function addFiles(app: App): void {
  const piece = 'x'.repeat(16 * 1024);
  async function* endless() {
    running++;
    try {
      for (;;) {
        yield piece;
        await turn();
      }
    } finally {
      running--;
    }
  }
  async function* late() {
    for (let n = 0; n < 3; n++) {
      yield 'some';
      await pause(400);
    }
  }
  const file = { type: 'text/csv', headers: {} };
  app.get('/v1/endless', byKey, (request, reply) =>
    sendStream(request, reply, { ...file, content: endless }, slowReaders),
  );
  app.get('/v1/late', byKey, (request, reply) =>
    sendStream(request, reply, { ...file, content: late }, slowReaders),
  );
  app.get('/v1/unsent', { ...byKey, onSend: () => Promise.reject(new Error('Not sent')) }, (request, reply) =>
    sendStream(request, reply, { ...file, content: endless }, slowReaders),
  );
  async function* large() {
    for (let n = 0; n < 20; n++) yield piece;
  }
  app.get('/v1/large', byKey, (request, reply) =>
    sendStream(request, reply, { ...file, content: large }, slowReaders),
  );
}

async function open(path: string, version: string) {
  const { live } = await api.account();
  const socket = connect(port, '127.0.0.1');
  socket.write(get(path, live, version, 'connection: close\r\n'));
  return socket;
}

const get = (path: string, key: string, version = '1.1', more = '') =>
  `GET ${path} HTTP/${version}\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\n${more}\r\n`;

test.each(['1.1', '1.0'])(
  'a reader who stops loses the file of HTTP/%s by a reset, never by an end in good order',
  async version => {
    const socket = await open('/v1/endless', version);
    await once(socket, 'readable');
    await waitUntil('it is found too slow', async () => slow === 1);
    await waitUntil('nothing is written for it', async () => running === 0);
    const broken = once(socket, 'error');
    socket.on('end', () => expect.fail('the file ended in good order'));
    socket.resume();
    expect((await broken)[0]).toMatchObject({ code: 'ECONNRESET' });
    expect(api.log.join('')).toContain('export aborted: the client read it too slowly');
  },
);

test('a reader who is kept waiting gets the whole file', async () => {
  const socket = await open('/v1/late', '1.1');
  let text = '';
  socket.on('data', data => {
    text += data;
  });
  await once(socket, 'end');
  expect(text).toMatch(/^HTTP\/1.1 200 OK[\s\S]*(4\r\nsome\r\n){3}0\r\n\r\n$/);
  expect(slow).toBe(0);
});

test('a steady reader above the least speed is never aborted, although the kernel takes the file in lumps', async () => {
  const socket = await open('/v1/endless', '1.1');
  let error: Error | undefined;
  socket.on('error', fault => {
    error = fault;
  });
  await once(socket, 'readable');
  const start = performance.now();
  // Several lumps of well over a megabyte each.
  for (let read = 0; read < 14 * 1024 * 1024; await pause(10)) {
    const due = 1.3 * slowReaders.bytesPerSecond * ((performance.now() - start) / 1000);
    while (read < due) {
      const data: Buffer | null = socket.read(Math.min(due - read, socket.readableLength) || undefined);
      if (data === null) break;
      read += data.length;
    }
    expect([slow, error]).toEqual([0, undefined]);
  }
  socket.destroy();
  await waitUntil('nothing is written for it', async () => running === 0);
});

test('a reader who reads nothing loses the file once its patience and the buffers are used up', async () => {
  const socket = await open('/v1/endless', '1.1');
  socket.on('error', () => undefined);
  const start = performance.now();
  await waitUntil('it is found too slow', async () => slow === 1);
  const most = slowReaders.graceMs + (maxReadAheadBytes / slowReaders.bytesPerSecond) * 1000;
  expect(performance.now() - start).toBeLessThan(3 * most);
  await waitUntil('nothing is written for it', async () => running === 0);
});

test('a file behind another one of its connection is not too slow before its turn comes', async () => {
  const { live } = await api.account();
  const socket = connect(port, '127.0.0.1');
  socket.write(get('/v1/late', live) + get('/v1/large', live, '1.1', 'connection: close\r\n'));
  let text = '';
  socket.on('data', data => {
    text += data;
  });
  await once(socket, 'end');
  expect(text).toMatch(/(4\r\nsome\r\n){3}0\r\n\r\nHTTP[\s\S]*?(4000\r\nx{16384}\r\n){20}0\r\n\r\n$/);
  expect(slow).toBe(0);
});

test('a file that is not sent after all is read no further', async () => {
  const socket = await open('/v1/unsent', '1.1');
  socket.resume();
  await once(socket, 'close');
  await waitUntil('nothing is read', async () => running === 0);
});
