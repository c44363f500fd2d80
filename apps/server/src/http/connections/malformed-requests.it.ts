import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { errorsOf, operations } from '@signpost/contract';
import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { type Answer, createWire, type Wire } from '@signpost/testing/raw-http.ts';
import { lenientReaders } from '@signpost/testing/reading.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { App } from '../app.ts';
import { sendStream } from './streams.ts';

const byKey = { config: { authScheme: 'apiKey', permission: 'account:read' } } as const;

let api: TestApi;
let owner: TestAccount;
let wire: Wire;
let waiting = 0;

beforeAll(async () => {
  api = await createTestApi({}, { prepare: addLateFile });
  owner = await api.account();
  await api.api.app.listen({ host: '127.0.0.1', port: 0 });
  wire = createWire((api.api.app.server.address() as AddressInfo).port);
});
afterAll(() => api.close());

/** A file of which nothing comes, until nobody waits for it any more. */
function addLateFile(app: App): void {
  async function* content(signal: AbortSignal) {
    waiting++;
    yield await new Promise<string>((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        waiting--;
        reject(signal.reason);
      });
    });
  }
  app.get('/v1/late', byKey, (request, reply) =>
    sendStream(request, reply, { type: 'text/csv', headers: {}, content }, lenientReaders),
  );
}

/** Sends these lines as they are, on a connection of its own. */
async function send(lines: string[], body = '', hangUp = false) {
  const bytes = Buffer.from([...lines, '', body].join('\r\n'));
  const answer = await wire.ask({ method: lines[0]!.split(' ')[0]!, bytes, apart: true, hangUp });
  expect(answer, String(answer)).toBeTypeOf('object');
  const { status, headers, body: text } = answer as Answer;
  return { status, headers, body: JSON.parse(text.toString() || 'null') };
}

const connections = () =>
  new Promise(resolve => api.api.app.server.getConnections((_error, count) => resolve(count)));
const errorLines = () => api.log.filter(line => line.includes('"level":"error"'));

/** Sends bytes, reads the answer, and then neither closes the connection nor listens any more. */
async function sendAndStay(bytes: string): Promise<Socket> {
  const socket = connect({ port: (api.api.app.server.address() as AddressInfo).port, allowHalfOpen: true });
  socket.write(bytes);
  await once(socket, 'data');
  return socket;
}

describe('a path written in another way', () => {
  const ways = ['/v1/qrcodes', '/%76%31/qrcodes', '/v%31/qrcode%73', 'http://evil.example/v1/qrcodes'];

  test.each(ways)('asks for a key like the path itself: %s', async path => {
    const { status, headers, body } = await send([`GET ${path} HTTP/1.1`, 'host: a']);
    expect([status, body.error.code]).toEqual([401, 'unauthorized']);
    expect(headers).toHaveProperty('x-ratelimit-remaining');
  });

  test.each(ways)('is answered with a key like the path itself: %s', async path => {
    const key = `authorization: Bearer ${owner.live}`;
    const { status, headers, body } = await send([`GET ${path} HTTP/1.1`, 'host: a', key]);
    expect([status, body.data]).toEqual([200, []]);
    expect(headers).toHaveProperty('x-ratelimit-remaining');
  });
});

describe('HTTP at its edges', () => {
  const refusal = (status: number, code: string) => ({
    status,
    headers: expect.objectContaining({
      'x-request-id': expect.stringMatching(/^req_/),
      'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
      'content-type': 'application/json; charset=utf-8',
    }),
    body: { error: expect.objectContaining({ code }) },
  });

  test('a request without a host is refused in the usual form', async () => {
    const answer = await send(['GET /v1/qrcodes HTTP/1.1', `authorization: Bearer ${owner.live}`]);
    expect(answer).toEqual(refusal(400, 'invalid_request'));
  });

  test('HTTP/1.0 needs no host', async () => {
    const { status } = await send(['GET /healthz HTTP/1.0']);
    expect(status).toBe(200);
  });

  test('an expectation that nobody knows is passed over', async () => {
    const answer = await send(['GET /v1/qrcodes HTTP/1.1', 'host: a', 'expect: a miracle']);
    expect(answer).toEqual(refusal(401, 'unauthorized'));
  });

  test('CONNECT is refused in the usual form', async () => {
    const answer = await send(['CONNECT example.com:443 HTTP/1.1', 'host: a']);
    expect(answer).toEqual(refusal(400, 'invalid_request'));
  });

  test.each([
    ['no HTTP', '\x16\x03\x01 what is this\r\n\r\n'],
    ['a bad header', 'GET / HTTP/1.1\r\nhost : a\r\n\r\nand more'],
    ['CONNECT', `CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n${'x'.repeat(100_000)}`],
  ])('a connection that was refused is closed, also when the caller stays: %s', async (_name, bytes) => {
    const socket = await sendAndStay(bytes);
    await expect.poll(connections, { timeout: 5000 }).toBe(0);
    socket.destroy();
  });

  test('a caller that breaks off after CONNECT takes nothing down with it', async () => {
    const socket = await sendAndStay('CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n');
    socket.resetAndDestroy();
    await expect.poll(connections).toBe(0);
    expect((await send(['GET /healthz HTTP/1.1', 'host: a'])).status).toBe(200);
  });

  test('a method that needs a content type and has none is no fault of ours', async () => {
    const key = `authorization: Bearer ${owner.live}`;
    const answer = await send(['QUERY /v1/qrcodes HTTP/1.1', 'host: a', key]);
    expect(answer).toEqual(refusal(400, 'invalid_request'));
    expect(errorLines()).toEqual([]);
  });

  test('a caller who hangs up in the middle of a body is no fault of ours', async () => {
    const head = ['POST /v1/qrcodes HTTP/1.1', 'host: a', 'content-type: application/json'];
    const key = `authorization: Bearer ${owner.live}`;
    await send([...head, key, 'content-length: 100'], '{"name":', true);
    await expect.poll(connections).toBe(0);
    expect(errorLines()).toEqual([]);
  });

  test('a caller who hangs up before the first piece of a file is no fault of ours', async () => {
    const socket = connect((api.api.app.server.address() as AddressInfo).port);
    socket.write(`GET /v1/late HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${owner.live}\r\n\r\n`);
    await expect.poll(() => waiting).toBe(1);
    socket.destroy();
    await expect.poll(() => waiting).toBe(0);
    await api.call({ url: '/healthz' });
    expect(errorLines()).toEqual([]);
  });

  test('a broken request with more behind it is not cut off before its answer can be read', async () => {
    const socket = await sendAndStay('BREW /v1/qrcodes HTTP/1.1\r\nhost: a\r\n\r\n');
    const faults: Error[] = [];
    socket.on('error', error => faults.push(error));
    for (let round = 0; round < 5; round++) {
      await new Promise(written => socket.write('x'.repeat(1000), written));
      await api.call({ url: '/healthz' });
    }
    expect([faults, await connections()]).toEqual([[], 1]);
    socket.destroy();
  });

  test('a caller who sends far too much gets to read why it was refused', async () => {
    const head = ['POST /v1/qrcodes HTTP/1.1', 'host: a', 'content-type: application/json'];
    const key = `authorization: Bearer ${owner.live}`;
    for (let round = 0; round < 10; round++) {
      const answer = await send([...head, key, 'content-length: 9000000'], ' '.repeat(9_000_000));
      expect(answer).toEqual(refusal(413, 'payload_too_large'));
    }
  });
});

test('a connection that a browser has opened ahead of its requests is closed without an answer', async () => {
  const { server } = api.api.app;
  const accepted = once(server, 'connection');
  const socket = connect({ port: (server.address() as AddressInfo).port });
  const [unused] = (await accepted) as [Socket];
  const pieces: Buffer[] = [];
  socket.on('data', piece => pieces.push(piece));
  // As Node does once a request has taken too long to come.
  const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  server.emit('clientError', error, unused);
  await once(socket, 'close');
  expect(Buffer.concat(pieces).toString()).toBe('');
});

test('a body that is nested too deep is refused, also with an Idempotency-Key', async () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  for (const headers of [{}, { 'idempotency-key': 'deep' }]) {
    const body = `{"items":[${deep}]}`;
    const reply = await api.call({ method: 'POST', url: '/v1/qrcodes/bulk', key: owner.live, body, headers });
    expect([reply.status, reply.body.error.code]).toEqual([400, 'invalid_json']);
  }
  expect(errorLines()).toEqual([]);
});

test('a body that is sent with a DELETE is refused as the contract says', async () => {
  const reply = (contentType: string, body: string) =>
    api.call({
      method: 'DELETE',
      url: '/v1/qrcodes/qr_x',
      key: owner.live,
      body,
      headers: { 'content-type': contentType },
    });
  const codes = errorsOf(operations.deleteQrCode);
  for (const [contentType, body] of [
    ['text/plain', 'x'],
    ['application/json', '{'],
    ['application/json', ' '.repeat(100_000)],
  ] as const) {
    expect(codes).toContain((await reply(contentType, body)).body.error.code);
  }
});
