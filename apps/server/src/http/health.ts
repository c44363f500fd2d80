import type { ClientAddress } from '../kernel/client-address.ts';
import type { App } from './app.ts';
import { seenAddress } from './seen-address.ts';

/** What a probe of readiness asks of each part. */
export type ReadinessCheck = { readonly name: string; readonly needed: boolean; check(): Promise<void> };

/** /healthz: the process lives. /readyz: it can do its work, and is not about to stop. */
export function addHealthRoutes(
  app: App,
  checks: readonly ReadinessCheck[],
  isStopping: () => boolean,
  clientAddress: ClientAddress,
): void {
  app.get('/healthz', { logLevel: 'warn' }, async (request, reply) => {
    reply.headers(seenAddress(request.raw, clientAddress));
    return { status: 'ok' };
  });
  app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    const results = await Promise.all(
      checks.map(async ({ name, needed, check }) => {
        const ok = await check().then(
          () => true,
          () => false,
        );
        return { name, needed, ok };
      }),
    );
    const ready = !isStopping() && results.every(result => result.ok || !result.needed);
    const parts = Object.fromEntries(results.map(({ name, ok }) => [name, ok ? 'ok' : 'away']));
    return reply
      .code(ready ? 200 : 503)
      .send({ status: isStopping() ? 'stopping' : ready ? 'ready' : 'not ready', ...parts });
  });
}
