import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What arrived at a receiver of webhooks. */
export type Arrival = {
  readonly atMs: number;
  readonly path: string;
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** Somebody's server that takes webhooks, on this machine. */
export type Receiver = {
  readonly url: string;
  readonly arrivals: Arrival[];
  close(): Promise<void>;
};

export type Answering = (arrival: Arrival, response: ServerResponse) => void;

const ok: Answering = (_arrival, response) => void response.writeHead(204).end();

export async function startReceiver(answer: Answering = ok, host = '127.0.0.1'): Promise<Receiver> {
  const arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    const atMs = Date.now();
    let body = '';
    request.setEncoding('utf8');
    request.on('data', chunk => (body += chunk));
    request.on('end', () => {
      const { headers, url = '' } = request;
      const arrival = { atMs, path: url, id: String(headers['webhook-id']), headers, body };
      arrivals.push(arrival);
      answer(arrival, response);
    });
    request.on('error', () => undefined);
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>(resolve => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}`,
    arrivals,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
