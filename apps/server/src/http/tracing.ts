import type { FastifyRequest } from 'fastify';
import type { Span, Tracer } from '../platform/tracing.ts';
import type { App } from './app.ts';

/**
 * A span for each sampled call, named by its route and never by its URL, which contains ids. The caller's `traceparent`
 * is ignored: otherwise any caller could make the service sample everything.
 */
export function traceCalls(app: App, tracer: Tracer): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, _reply, done) => {
    const span = tracer.start(`${request.method} ${request.routeOptions.url ?? 'unknown'}`, 'server');
    if (span) spans.set(request, span);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    spans.get(request)?.end(
      {
        'http.request.method': request.method,
        'http.route': request.routeOptions.url ?? 'unknown',
        'http.response.status_code': reply.statusCode,
        'signpost.request_id': request.id,
      },
      reply.statusCode >= 500 ? new Error('5xx') : undefined,
    );
    done();
  });
}
