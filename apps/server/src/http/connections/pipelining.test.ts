import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { boundPipelining } from './pipelining.ts';

async function open(listener: RequestListener): Promise<Socket> {
  const server = createServer(listener);
  boundPipelining(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  onTestFinished(() => {
    socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  return socket;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const paths = (count: number) => Array.from({ length: count }, (_, i) => `/${i}`);

/** The bodies of so many answers, in the order in which they came. */
async function read(socket: Socket, count: number): Promise<string[]> {
  const chunks: string[] = [];
  let answers = 0;
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    chunks.push(chunk);
    answers += chunk.split('>').length - 1;
  });
  socket.resume();
  await vi.waitFor(() => expect(answers).toBe(count), { timeout: 20_000 });
  return [...chunks.join('').matchAll(/\r\n\r\n<([^>]*)>/g)].map(match => match[1]!);
}

const answer = (response: ServerResponse, text: string) =>
  response.writeHead(200, { 'content-length': text.length + 2 }).end(`<${text}>`);

test('10,000 requests sent at once are all answered, in order', async () => {
  const socket = await open((request, response) => answer(response, request.url!));
  const all = paths(10_000);
  socket.write(all.map(get).join(''));
  expect(await read(socket, all.length)).toEqual(all);
});

test('also where answers take their time, and end in another order', async () => {
  const socket = await open((request, response) => {
    setTimeout(() => answer(response, request.url!), Math.random() * 5);
  });
  const all = paths(1000);
  socket.write(all.map(get).join(''));
  expect(await read(socket, all.length)).toEqual(all);
});

test('a connection with many answers outstanding is not read on', async () => {
  const responses: ServerResponse[] = [];
  const socket = await open((_request, response) => responses.push(response));
  socket.write(paths(5000).map(get).join(''));
  await vi.waitFor(() => expect(responses.length).toBeGreaterThan(10));
  await new Promise(resolve => setTimeout(resolve, 100));
  expect(responses.length).toBeLessThan(60);
});

test('others get their turn between a few requests of one connection', async () => {
  let longest = 0;
  let inARow = 0;
  const socket = await open((request, response) => {
    longest = Math.max(longest, ++inARow);
    setImmediate(() => {
      inARow = 0;
    });
    answer(response, request.url!);
  });
  const all = paths(3000);
  socket.write(all.map(get).join(''));
  await read(socket, all.length);
  expect(longest).toBeLessThan(40);
});

test('bodies arrive whole, before and behind other requests', async () => {
  const socket = await open((request, response) => {
    let bytes = 0;
    request.on('data', chunk => {
      bytes += chunk.length;
    });
    request.on('end', () => answer(response, `${request.url} ${bytes}`));
  });
  const body = 'x'.repeat(3_000_000);
  const post = `POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  socket.write(get('/a') + post + get('/b') + post + paths(100).map(get).join(''));
  const bodies = await read(socket, 104);
  expect(bodies.slice(0, 4)).toEqual(['/a 0', '/body 3000000', '/b 0', '/body 3000000']);
  expect(bodies.slice(4)).toEqual(paths(100).map(path => `${path} 0`));
});

test('a reader who does not read does not make the server collect answers', async () => {
  let begun = 0;
  const socket = await open((request, response) => {
    begun++;
    answer(response, request.url! + 'x'.repeat(100_000));
  });
  socket.pause();
  socket.write(paths(300).map(get).join(''));
  await vi.waitFor(() => expect(begun).toBeGreaterThan(10));
  await new Promise(resolve => setTimeout(resolve, 300));
  expect(begun).toBeLessThan(200);
  const all = await read(socket, 300);
  expect(all[299]).toMatch(/^\/299x/);
});

test('what comes behind an answer that closes the connection is not answered', async () => {
  let begun = 0;
  const socket = await open((request, response) => {
    begun++;
    response.setHeader('connection', 'close');
    answer(response, request.url!);
  });
  const closed = once(socket, 'close');
  socket.write(paths(1000).map(get).join(''));
  expect(await read(socket, 1)).toEqual(['/0']);
  await closed;
  expect(begun).toBeLessThan(60);
});

test('a client that sends without reading, bodies among it, does no harm', async () => {
  const socket = await open((request, response) => {
    if (request.method === 'POST') response.writeHead(405, { 'content-length': 0 }).end();
    else answer(response, request.url! + 'x'.repeat(2000));
  });
  socket.pause();
  const post = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 400\r\n\r\n${'b'.repeat(400)}`;
  for (let i = 0; i < 400; i++) socket.write(`${paths(10).map(get).join('')}${post}`);
  await new Promise(resolve => setTimeout(resolve, 300));
  expect((await read(socket, 4000)).length).toBe(4000);
});

test('a client that ends its side after many requests is told of no error', async () => {
  const socket = await open((request, response) => answer(response, request.url!));
  let text = '';
  socket.on('data', data => {
    text += data;
  });
  const closed = once(socket, 'close');
  socket.end(paths(100).map(get).join(''));
  await closed;
  // Node itself gives up the answers that are not written yet when the end comes.
  expect(text.split('HTTP/1.1 200 OK').length - 1).toBeGreaterThan(90);
  expect(text).not.toContain('HTTP/1.1 400');
});

test('requests that fill a slice each are bounded too', async () => {
  const responses: ServerResponse[] = [];
  const socket = await open((_request, response) => responses.push(response));
  const long = `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(480)}\r\n\r\n`;
  socket.write(long.repeat(2000));
  await vi.waitFor(() => expect(responses.length).toBeGreaterThan(10));
  await new Promise(resolve => setTimeout(resolve, 100));
  expect(responses.length).toBeLessThan(60);
});

test('whatever is sent, in whatever pieces, and however it is read: every request gets its answer', async () => {
  const handlers: readonly ((request: IncomingMessage, done: () => void) => void)[] = [
    (_request, done) => done(),
    (request, done) => request.resume().on('end', done),
    (request, done) => {
      request.on('data', () => {
        request.pause();
        setTimeout(() => request.resume(), 1);
      });
      request.on('end', done);
    },
    (request, done) => {
      request.resume();
      setImmediate(done);
    },
  ];
  const sockets = await Promise.all(
    Array.from({ length: 8 }, () =>
      open((request, response) => {
        const handler = handlers[Math.floor(Math.random() * handlers.length)]!;
        handler(request, () => answer(response, request.url!));
      }),
    ),
  );
  await Promise.all(
    sockets.map(async socket => {
      const all = paths(120);
      const text = all
        .map(path => {
          const length = Math.random() < 0.5 ? 0 : Math.floor(Math.random() ** 4 * 300_000);
          return length === 0
            ? get(path)
            : `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${'b'.repeat(length)}`;
        })
        .join('');
      const answers = read(socket, all.length);
      for (let at = 0; at < text.length; ) {
        const end = at + 1 + Math.floor(Math.random() ** 3 * 200_000);
        if (!socket.write(text.slice(at, end))) await once(socket, 'drain');
        at = end;
      }
      expect(await answers).toEqual(all);
    }),
  );
}, 60_000);
