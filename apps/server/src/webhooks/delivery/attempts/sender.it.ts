import { createServer, type Socket } from 'node:net';
import { loopbackSpellings, special4, special6 } from '@signpost/testing/addresses.ts';
import { type Names, startNameServer } from '@signpost/testing/name-server.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../kernel/clock.ts';
import { createAddressGuard } from '../../address-guard.ts';
import { createHostResolver } from '../../resolver.ts';
import { createSender, type Sender } from './sender.ts';
import { sign } from './signature.ts';

const headers = sign('msg_1', new Date(), '{}', [Buffer.alloc(32)]);
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Listens on every address of this machine, and counts connections. */
async function listen(onSocket: (socket: Socket) => void = () => undefined) {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  await new Promise<void>(resolve => server.listen(0, '::', resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as { port: number }).port, connections: () => connections };
}

function senderOf(
  options: { allowed?: string[]; servers?: string[]; attemptTimeoutMs?: number } = {},
): Sender {
  const { allowed = [], servers = [], ...more } = options;
  const resolver = createHostResolver(createAddressGuard(allowed), servers);
  const sender = createSender({ resolver, clock: systemClock, ...more });
  closers.push(() => sender.close());
  return sender;
}

const answer = (socket: Socket, text: string): void => {
  socket.once('data', () => socket.write(text));
};
const plain = 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok';

describe('the guard', () => {
  let listener: Awaited<ReturnType<typeof listen>>;
  beforeEach(async () => {
    listener = await listen(socket => answer(socket, plain));
  });

  test('no special address and no spelling of loopback is dialled: the listener sees 0 connections', async () => {
    const sender = senderOf();
    const hosts = [...special4, ...special6.map(address => `[${address}]`), ...loopbackSpellings];
    const errors = await Promise.all(
      hosts.map(async host => (await sender.send(`http://${host}:${listener.port}/`, headers, '{}')).error),
    );
    expect(hosts.length).toBeGreaterThanOrEqual(140);
    expect(hosts.filter((_, index) => errors[index] !== 'blocked_address')).toEqual([]);
    expect(listener.connections()).toBe(0);
  });

  test('the listener would have seen them', async () => {
    const sender = senderOf({ allowed: ['127.0.0.0/8', '::1', '0.0.0.0', '::'] });
    for (const host of loopbackSpellings) {
      const { error, responseStatus } = await sender.send(`http://${host}:${listener.port}/`, headers, '{}');
      expect([host, error, responseStatus]).toEqual([host, null, 200]);
    }
    expect(listener.connections()).toBeGreaterThan(0);
  });

  async function sendTo(names: Names, times: number) {
    const server = await startNameServer(names);
    closers.push(() => server.close());
    const sender = senderOf({ servers: [server.address], attemptTimeoutMs: 500 });
    const errors: unknown[] = [];
    for (let n = 0; n < times; n++) {
      errors.push((await sender.send(`http://host${n}.example:${listener.port}/`, headers, '{}')).error);
    }
    return { errors, questions: server.questions() };
  }

  test('a name that resolves to a public address first and a private one second is looked up once per dial, and the checked address is dialled', async () => {
    const queries = new Map<string, number>();
    const { errors } = await sendTo(name => {
      queries.set(name, (queries.get(name) ?? 0) + 1);
      return { a: [queries.get(name) === 1 ? '203.0.112.1' : '127.0.0.1'] };
    }, 3);
    expect([...queries.values()]).toEqual([1, 1, 1]);
    // Whatever answers at that public address, nothing here was dialled.
    expect(errors).not.toContain('blocked_address');
    expect(listener.connections()).toBe(0);
  });

  test('a name is looked up before its reserved time: that address is dialled, though the name has another by then', async () => {
    let queries = 0;
    const server = await startNameServer(() => ({ a: [queries++ === 0 ? '127.0.0.1' : '127.0.0.2'] }));
    closers.push(() => server.close());
    const sender = senderOf({ servers: [server.address], allowed: ['127.0.0.1'] });
    const url = `http://moved.example:${listener.port}/`;
    expect(await sender.prepare(url)).toBeNull();
    expect(await sender.prepare(url)).toBeNull();
    expect((await sender.send(url, headers, '{}')).error).toBeNull();
    expect([queries, listener.connections()]).toEqual([1, 1]);
  });

  test('a name that may not be dialled is refused before its reserved time, and on the dial too', async () => {
    const server = await startNameServer(name => ({ a: name === 'nowhere.example' ? [] : ['127.0.0.1'] }));
    closers.push(() => server.close());
    const sender = senderOf({ servers: [server.address] });
    const prepared = async (host: string) =>
      (await sender.prepare(`http://${host}:${listener.port}/`))?.error;
    expect(await prepared('inside.example')).toBe('blocked_address');
    expect(await prepared('nowhere.example')).toBe('dns');
    const { error } = await sender.send(`http://inside.example:${listener.port}/`, headers, '{}');
    expect([error, listener.connections()]).toEqual(['blocked_address', 0]);
  });

  test.each([
    ['a private address', () => ({ a: ['127.0.0.1'] })],
    ['a public and a private address', () => ({ a: ['93.184.216.34', '127.0.0.1'] })],
    ['a private and a public address', () => ({ a: ['10.0.0.1', '93.184.216.34'] })],
    ['another name with a private address', () => ({ cname: 'inside.example', a: ['127.0.0.1'] })],
    ['the metadata service', () => ({ a: ['169.254.169.254'] })],
  ] satisfies [string, Names][])(
    'a name that resolves to %s is never dialled, in 200 attempts',
    async (_what, names) => {
      const { errors } = await sendTo(names, 200);
      expect(new Set(errors)).toEqual(new Set(['blocked_address']));
      expect(listener.connections()).toBe(0);
    },
  );

  test('a name without an address is a dns error', async () => {
    expect((await sendTo(() => ({}), 1)).errors).toEqual(['dns']);
  });

  test.each([301, 302, 303, 307, 308])(
    'a redirect (%i) to a private address is not followed',
    async status => {
      const to = `http://127.0.0.1:${listener.port}/`;
      const redirecting = await listen(socket =>
        answer(socket, `HTTP/1.1 ${status} Moved\r\nlocation: ${to}\r\ncontent-length: 0\r\n\r\n`),
      );
      const sender = senderOf({ allowed: ['127.0.0.1'] });
      const { error, responseStatus } = await sender.send(
        `http://127.0.0.1:${redirecting.port}/`,
        headers,
        '{}',
      );
      expect([error, responseStatus]).toEqual(['status', status]);
      expect(listener.connections()).toBe(0);
    },
  );
});

describe('an attempt', () => {
  const local = (port: number) => `http://127.0.0.1:${port}/`;
  const allowed = ['127.0.0.1'];

  test('ends after 15 s, whatever the peer does: says nothing, drips a header, drips a body', async () => {
    const drip = (head: string) => (socket: Socket) => {
      socket.write(head);
      const timer = setInterval(() => socket.write('x'), 200);
      socket.on('close', () => clearInterval(timer));
    };
    const peers = [
      await listen(),
      await listen(drip('HTTP/1.1 200 OK\r\nx-long: ')),
      await listen(drip('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n')),
    ];
    const sender = senderOf({ allowed });
    const results = await Promise.all(peers.map(({ port }) => sender.send(local(port), headers, '{}')));
    for (const { error, durationMs } of results) {
      expect(error).toBe('timeout');
      expect(durationMs).toBeGreaterThan(14_500);
      expect(durationMs).toBeLessThan(15_500);
    }
  });

  test('a peer that sends a gigabyte costs under 20 MB, and is disconnected', async () => {
    let sent = 0;
    const chunk = Buffer.alloc(1024 * 1024, 'a');
    const peer = await listen(socket => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n');
      const push = () => {
        while (sent < 1024 && !socket.destroyed) {
          sent++;
          if (!socket.write(chunk)) return void socket.once('drain', push);
        }
      };
      push();
    });
    const sender = senderOf({ allowed });
    global.gc?.();
    const before = process.memoryUsage().rss;
    const { error, responseStatus, response } = await sender.send(local(peer.port), headers, '{}');
    expect([error, responseStatus, response.length]).toEqual([null, 200, 1024]);
    expect(process.memoryUsage().rss - before).toBeLessThan(20 * 1024 * 1024);
    expect(sent).toBeLessThan(64);
  });

  const onData = (act: (socket: Socket) => void) => (socket: Socket) => {
    socket.once('data', () => act(socket));
  };
  const saying = (text: string) => onData(socket => socket.write(text));
  const empty = 'content-length: 0\r\n\r\n';

  test.each([
    ['a reset', onData(socket => socket.resetAndDestroy()), 'connection', null],
    ['a hang-up', onData(socket => socket.end()), 'connection', null],
    ['nonsense', saying('what?\r\n\r\n'), 'connection', null],
    ['a fault', saying(`HTTP/1.1 503 No\r\nretry-after: 7\r\n${empty}`), 'status', 503],
    ['gone', saying(`HTTP/1.1 410 Gone\r\n${empty}`), 'status', 410],
    ['a success', saying(plain), null, 200],
  ] as const)('%s is a result', async (_what, onSocket, error, status) => {
    const { port } = await listen(onSocket);
    const result = await senderOf({ allowed }).send(local(port), headers, '{}');
    expect(result).toMatchObject({ error, responseStatus: status });
    expect(result.retryAfterSeconds).toBe(status === 503 ? 7 : null);
  });

  test('a refused connection and a missing TLS are results too', async () => {
    const sender = senderOf({ allowed });
    const { port } = await listen(socket => answer(socket, plain));
    expect((await sender.send(`https://127.0.0.1:${port}/`, headers, '{}')).error).toMatch(
      /^(tls|connection)$/,
    );
    expect((await sender.send('http://127.0.0.1:1/', headers, '{}')).error).toBe('connection');
  });
});
