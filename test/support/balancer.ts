import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Spreads requests over servers, as a proxy before them does. It never tries one again: what a server refuses or drops is
 * seen by the caller.
 */
export type Balancer = {
  readonly url: string;
  add(url: string): void;
  /** Sends it nothing more, and resolves when it has answered all that it was sent. */
  remove(url: string): Promise<void>;
  close(): void;
};

export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const rotation = [...urls];
  const underWay = new Map<string, number>();
  const onIdle = new Map<string, () => void>();
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let turn = 0;
  const settle = (url: string) => {
    underWay.set(url, underWay.get(url)! - 1);
    if (underWay.get(url) === 0) onIdle.get(url)?.();
  };
  const server = createServer((incoming, response) => {
    const url = rotation[turn++ % rotation.length]!;
    underWay.set(url, (underWay.get(url) ?? 0) + 1);
    const { method, headers, url: path } = incoming;
    const outgoing = request(new URL(path!, url), { method, headers, agent }, answer => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
      answer.once('close', () => settle(url));
    });
    outgoing.once('error', () => {
      settle(url);
      response.destroy();
    });
    incoming.pipe(outgoing);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: url => void rotation.push(url),
    async remove(url) {
      rotation.splice(rotation.indexOf(url), 1);
      if (underWay.get(url)) await new Promise<void>(resolve => onIdle.set(url, resolve));
    },
    close() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}
