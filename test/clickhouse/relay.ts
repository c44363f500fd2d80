import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { request as requestSecurely } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** What happens to a request on its way; nothing by default. */
export type Tampering = {
  rewrite?: (url: URL) => void;
  /** How many bytes of a body arrive before both connections break off; null: all. */
  cutBody?: (body: Buffer) => number | null;
  /** The server answers, and the connection breaks off before the client learns it. */
  loseAnswer?: boolean;
  /** An answer that the server breaks off looks like a complete one. */
  hideBreaks?: boolean;
};

/** An HTTP server on this machine that passes requests on to ClickHouse. */
export type Relay = {
  /** The address of a URL of ClickHouse through the relay, with the same user and database. */
  via(url: string): string;
  tampering: Tampering;
  /** How many answers have begun as a success, and how many of them broke off. */
  readonly answers: { begun: number; broken: number };
  close(): void;
};

/** Time for ClickHouse to read what was sent, before the connection breaks off. */
const readingMs = 100;

export async function startRelay(target: string): Promise<Relay> {
  const server = createServer({ maxHeaderSize: 1024 * 1024 }, (message, response) => {
    pass(message, response).catch(() => message.socket.destroy());
  });

  async function pass(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { tampering } = relay;
    const url = new URL(message.url ?? '/', target);
    tampering.rewrite?.(url);
    const body = Buffer.concat(await message.toArray());
    const send = url.protocol === 'https:' ? requestSecurely : request;
    const { host: _, ...headers } = message.headers;
    const onward = send(url, { method: message.method, headers, agent: false });
    const answered = once(onward, 'response') as Promise<[IncomingMessage]>;
    answered.catch(() => undefined);
    response.once('close', () => onward.destroy());
    const cut = tampering.cutBody?.(body) ?? null;
    if (cut !== null) {
      await new Promise(resolve => onward.write(body.subarray(0, cut), resolve));
      await pause(readingMs);
      onward.destroy();
      throw new Error('cut');
    }
    onward.end(body);
    const [answer] = await answered;
    if (tampering.loseAnswer) throw new Error('lost');
    await passBack(answer, response, tampering.hideBreaks === true);
  }

  async function passBack(answer: IncomingMessage, response: ServerResponse, hideBreaks: boolean) {
    const hasBegun = answer.statusCode === 200;
    if (hasBegun) relay.answers.begun++;
    response.writeHead(answer.statusCode!, answer.headers);
    try {
      for await (const chunk of answer) if (!response.write(chunk)) await once(response, 'drain');
    } catch (error) {
      relay.answers.broken++;
      if (!hideBreaks) throw error;
    }
    response.end();
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const relay: Relay = {
    via(url) {
      const through = new URL(url);
      through.protocol = 'http:';
      through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      return through.href;
    },
    tampering: {},
    answers: { begun: 0, broken: 0 },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return relay;
}
