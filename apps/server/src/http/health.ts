import type { ClientAddress } from '../kernel/addresses/client-address.ts';
import type { Readiness } from '../platform/readiness.ts';
import type { App } from './app.ts';
import { clientAddressHeader } from './connections/client-address-header.ts';

type Parts = {
  readonly app: App;
  readonly readiness: Readiness;
  readonly clientAddress: ClientAddress;
};

const probe = { logLevel: 'warn', config: { authScheme: 'open' } } as const;

/**
 * /healthz: the process is alive. /readyz: it can do its work, and is not about to stop. Both are open to the world, so
 * neither costs more than a response nor names the engines behind the process: the private port does that.
 */
export function registerHealth({ app, readiness, clientAddress }: Parts): void {
  app.get('/healthz', probe, async (request, reply) => {
    reply.headers(clientAddressHeader(request.raw, clientAddress));
    return { status: 'ok' };
  });
  app.get('/readyz', probe, async (_request, reply) => {
    const isReady = (await readiness.report()).status === 'ready';
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready' });
  });
}
