import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Distributes requests over servers, as a load balancer does. It never retries: the caller sees what a server refuses or
 * drops.
 */
export type Balancer = {
  readonly url: string;
  add(url: string): void;
  /** Sends it no more requests, and resolves when it has answered those in flight. */
  remove(url: string): Promise<void>;
  close(): void;
};

export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const rotation = [...urls];
  const inFlight = new Map<string, number>();
  const onIdle = new Map<string, () => void>();
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let turn = 0;
  const settle = (url: string) => {
    inFlight.set(url, inFlight.get(url)! - 1);
    if (inFlight.get(url) === 0) onIdle.get(url)?.();
  };
  const server = createServer((incoming, response) => {
    const url = rotation[turn++ % rotation.length]!;
    inFlight.set(url, (inFlight.get(url) ?? 0) + 1);
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
      if (inFlight.get(url)) await new Promise<void>(resolve => onIdle.set(url, resolve));
    },
    close() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}
