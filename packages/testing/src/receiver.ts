import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a receiver of webhooks got. */
export type Arrival = {
  readonly atMs: number;
  readonly path: string;
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** A customer's server that receives webhooks, on this machine. */
export type Receiver = {
  readonly url: string;
  readonly arrivals: Arrival[];
  close(): Promise<void>;
};

export type AnswerWith = (arrival: Arrival, response: ServerResponse) => void;

const noContent: AnswerWith = (_arrival, response) => void response.writeHead(204).end();

export async function startReceiver(answer: AnswerWith = noContent, host = '127.0.0.1'): Promise<Receiver> {
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
