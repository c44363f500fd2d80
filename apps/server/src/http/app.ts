import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import type { Caller, Person } from '../kernel/caller.ts';
import type { ClientAddress } from '../kernel/client-address.ts';
import { AppError } from '../kernel/errors.ts';
import type { RequestIds } from '../kernel/request-ids.ts';
import type { Logger } from '../platform/logger.ts';
import type { Metrics } from '../platform/metrics.ts';
import { addCompression } from './compression.ts';
import { errorHeaders, hungUp, presentError, statusOf, toAppError } from './errors.ts';
import type { Guard, SessionGuard } from './guard.ts';
import { checkShape, parseJson } from './json-body.ts';
import { limitHeaders } from './limit-headers.ts';
import { allowedMethods, pathOf } from './paths.ts';
import { boundPipelining } from './pipelining.ts';
import { refuseNonOperator, refuseSuspended } from './standing.ts';
import { compileQueryValidator, compileValidator } from './validation.ts';
import { answerBrokenRequest, answerOnSocket } from './wire.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    person: Person | null;
  }
  interface FastifyContextConfig {
    public?: boolean;
    showsSecret?: boolean;
    /** The answer is the same for everybody, for as long as the process runs. */
    constant?: boolean;
    /** Changes something, and is open to suspended accounts all the same. */
    whileSuspended?: boolean;
  }
  interface FastifyInstance {
    /** First segments of the paths that the service answers; short codes must stay clear of them. */
    firstSegments: Set<string>;
  }
}

export type AppParts = {
  readonly guard: Guard;
  /** Stands before the dashboard's paths; without it there is no dashboard. */
  readonly sessions?: SessionGuard | undefined;
  readonly clientAddress: ClientAddress;
  readonly nextRequestId: RequestIds;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly publicUrl: string;
  /** Who answers paths that begin with none of the app's own segments; without it they are not found. */
  readonly elsewhere?: RequestListener | undefined;
};

export type App = FastifyInstance;

const maxUrlLength = 8192;
const bodyLimit = 64 * 1024;

/** The HTTP side of the API, without its routes: who may come in, how errors look, what is logged and measured. */
export function createApp(parts: AppParts): App {
  const { guard, clientAddress, nextRequestId, metrics, publicUrl } = parts;
  const app = fastify({
    loggerInstance: parts.logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: nextRequestId,
    bodyLimit,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    serverFactory: handler =>
      createHttpServer(request => (isOwn(request.url ?? '') ? handler : (parts.elsewhere ?? handler))),
    routerOptions: { maxParamLength: maxUrlLength },
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      admit(request, reply)
        .then(() => sendError(error, request, reply))
        .catch((refusal: unknown) => sendError(refusal, request, reply));
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, parts),
  }) as unknown as App;
  // Without these two Node hangs up on CONNECT, and answers an expectation it does not know with an empty 417.
  app.server.on('connect', (_request, socket: Socket) => {
    // The parser has let go of the socket.
    socket.removeAllListeners('data');
    answerOnSocket(new AppError('invalid_request', 'This service is not a proxy.'), socket, parts);
  });
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));

  function isOwn(url: string): boolean {
    const segment = /^\/([^/?#]*)/.exec(url)?.[1];
    return !segment || app.firstSegments.has(segment);
  }

  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const door = doorOf(request);
    if (door === 'none' || (door === 'sessions' && !parts.sessions)) return;
    const address = clientAddress(request.socket.remoteAddress ?? '', request.headers['x-forwarded-for']);
    const isPublic = request.routeOptions?.config?.public === true;
    const admission =
      door === 'sessions'
        ? await parts.sessions!.admit(request, address, isPublic)
        : isPublic
          ? guard.admitAnybody(address)
          : await guard.admit(request.headers.authorization, address);
    reply.headers(limitHeaders(admission.verdict));
    for (const cookie of admission.cookies ?? []) reply.header('set-cookie', cookie);
    if (admission.refusal) throw admission.refusal;
    request.caller = admission.caller;
    request.person = admission.person ?? null;
    refuseNonOperator(request);
    refuseSuspended(request, publicUrl);
    if (request.url.length > maxUrlLength) throw new AppError('uri_too_long', 'The URL is too long.');
  }

  function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const refusal = error === request.raw.errored ? hungUp() : toAppError(error);
    const status = statusOf(refusal);
    if (status >= 500)
      request.log.error({ err: refusal.cause ?? refusal, code: refusal.code }, 'request failed');
    return (
      reply
        .code(status)
        .headers(errorHeaders(refusal))
        // The framework would hang up on a caller who is still sending, and who then never reads why.
        .removeHeader('connection')
        .type('application/json; charset=utf-8')
        .serializer(JSON.stringify)
        .send(presentError(refusal, request.id, publicUrl))
    );
  }

  app.decorateRequest('caller', null);
  app.decorateRequest('person', null);
  app.decorate('firstSegments', new Set<string>());
  app.addHook('onRoute', route => {
    app.firstSegments.add(route.url.split('/')[1] ?? '');
  });
  app.setValidatorCompiler(({ schema, httpPart }) =>
    httpPart === 'querystring' ? compileQueryValidator(schema as object) : compileValidator(schema as object),
  );
  app.setErrorHandler(sendError);
  app.setNotFoundHandler(request => {
    const allowed = allowedMethods(request.url);
    if (allowed.length > 0) {
      const allow = allowed.join(', ');
      throw new AppError('method_not_allowed', `This path takes ${allow}, not ${request.method}.`, { allow });
    }
    throw new AppError('not_found', `This path does not exist. The API is described at ${publicUrl}/docs.`);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (_request: FastifyRequest, body: Buffer) => parseJson(body),
  );
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    if (doorOf(request) !== 'none') reply.header('cache-control', 'no-store');
    if (doorOf(request) === 'sessions') reply.header('cross-origin-resource-policy', 'same-origin');
    await admit(request, reply);
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      throw new AppError('invalid_request', 'The Host header is missing.', { param: 'Host' });
    }
  });
  addCompression(app);
  app.addHook('preParsing', async (request, _reply, body) =>
    checkShape(body, request.headers['content-length']),
  );
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const seconds = reply.elapsedTime / 1000;
    metrics.requests.observe({ method: request.method, route, status: reply.statusCode }, seconds);
    request.log.info(
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request answered',
    );
    done();
  });
  return app;
}

/** A server that asks, for each request, who answers it. */
function createHttpServer(choose: (request: IncomingMessage) => RequestListener): Server {
  const server = createServer(
    // Node would refuse a request without a host by itself, with an empty answer.
    { maxHeaderSize: 32 * 1024, requireHostHeader: false },
    (request, response) => choose(request)(request, response),
  );
  boundPipelining(server);
  server.requestTimeout = 15_000;
  server.keepAliveTimeout = 72_000;
  return server;
}

/**
 * Which guard stands before it. The router's word counts, not the text of the URL: it takes a path with
 * encoded letters, or with a scheme and a host before it, to the same route.
 */
function doorOf(request: FastifyRequest): 'keys' | 'sessions' | 'none' {
  const path = request.routeOptions?.url ?? pathOf(request.url);
  if (/^\/v1(?:\/|$)/.test(path)) return 'keys';
  return /^\/(?:account|auth)(?:\/|$)/.test(path) ? 'sessions' : 'none';
}
