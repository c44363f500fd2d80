import { createServer, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import type { Readiness } from './readiness.ts';

type Options = {
  readonly registry: Registry;
  readonly readiness: Readiness;
  readonly host: string;
  readonly port: number;
  readonly onError: (error: unknown) => void;
  /** The status for a TLS proxy that asks about a name; left out where the process knows no names. */
  readonly tlsAsk?: (name: string) => Promise<number>;
};

const tlsAskPath = /^\/tls-ask\?(.*)$/;

/**
 * Serves metrics, liveness and readiness of every role to operators and probes, on its own port that can stay private. A TLS
 * proxy asks there which names it may have certificates for.
 */
export async function startPrivateServer({ registry, readiness, host, port, onError, tlsAsk }: Options) {
  const handlers: Readonly<Record<string, (response: ServerResponse) => Promise<unknown>>> = {
    '/healthz': async response => response.writeHead(200).end(),
    async '/readyz'(response) {
      const { status, parts } = await readiness.report();
      response.writeHead(status === 'ready' ? 200 : 503, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ status, ...parts }));
    },
    async '/metrics'(response) {
      const body = await registry.metrics();
      response.writeHead(200, { 'content-type': registry.contentType }).end(body);
    },
  };
  const server = createServer((request, response) => {
    // A webhook is a POST, and its owner sees the beginning of the answer.
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
      return;
    }
    const [, asked] = tlsAskPath.exec(request.url ?? '') ?? [];
    const ask =
      tlsAsk && asked !== undefined
        ? async () => response.writeHead(await tlsAsk(new URLSearchParams(asked).get('domain') ?? '')).end()
        : null;
    const handler = ask ?? handlers[request.url ?? ''];
    if (!handler) {
      response.writeHead(404).end('Metrics are at /metrics\n');
      return;
    }
    handler(response).catch(error => {
      onError(error);
      response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
