import type { ClientAddress } from '../kernel/client-address.ts';
import type { Readiness } from '../platform/readiness.ts';
import type { App } from './app.ts';
import { seenAddress } from './seen-address.ts';

/**
 * /healthz: the process lives. /readyz: it can do its work, and is not about to stop. Both are open to the world, so neither
 * costs more than an answer, nor names what the process works with: that is told on the private port.
 */
export function addHealthRoutes(app: App, readiness: Readiness, clientAddress: ClientAddress): void {
  app.get('/healthz', { logLevel: 'warn' }, async (request, reply) => {
    reply.headers(seenAddress(request.raw, clientAddress));
    return { status: 'ok' };
  });
  app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    const isReady = (await readiness.report()).status === 'ready';
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready' });
  });
}
