import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Permission } from '@signpost/contract';
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import type { ClientAddress } from '../kernel/addresses/client-address.ts';
import type { Caller, Person } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import type { RequestIds } from '../kernel/request-ids.ts';
import type { Logger } from '../platform/logger.ts';
import type { Metrics } from '../platform/metrics.ts';
import { getAuthScheme, requireAuthScheme } from './access/auth-schemes.ts';
import {
  type Authenticators,
  type AuthScheme,
  authenticateBy,
  requireAuthenticator,
} from './access/authentication.ts';
import {
  refuseNonOperator,
  refuseSuspended,
  refuseUnpermitted,
  requireAccount,
  requirePermission,
} from './access/authorization.ts';
import { rateLimitHeaders } from './access/rate-limit-headers.ts';
import { toOriginForm } from './connections/absolute-form.ts';
import { answerMalformedRequest, answerOnSocket } from './connections/malformed-requests.ts';
import { boundPipelining } from './connections/pipelining.ts';
import { errorHeaders, hungUp, presentError, toAppError, toStatus } from './errors.ts';
import { addCompression } from './files/compression.ts';
import { allowedMethods } from './paths.ts';
import { createSerializer } from './serializing.ts';
import { checkShape, parseJson } from './validation/json-body.ts';
import { compileQueryValidator, compileValidator } from './validation/validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    person: Person | null;
    /** Whether the caller may still read; null where nothing can end that before the key or the account does. */
    isStillAllowed: (() => Promise<boolean>) | null;
  }
  interface FastifyContextConfig {
    /** Required of every route: one without it makes the process fail at its start. */
    authScheme: AuthScheme;
    /** Required of every route for keys or sessions, likewise. */
    permission?: Permission | undefined;
    showsSecret?: boolean;
    /** The response is the same for everybody who gets it in one language, for as long as the process runs. */
    constant?: boolean;
    /** Changes something, and is allowed to suspended accounts nevertheless. */
    whileSuspended?: boolean;
    /** Takes a person who belongs to no account, or did not say which. */
    withoutAccount?: boolean;
  }
  interface FastifyInstance {
    /** First segments of the paths that the service answers; short codes must not collide with them. */
    firstSegments: Set<string>;
    declaredRoutes: DeclaredRoute[];
    /** Says how callers are authenticated for the schemes that a feature knows. */
    addAuthenticators(authenticators: Partial<Authenticators>): void;
  }
}

/** A route and how it lets callers in. */
export type DeclaredRoute = {
  readonly method: string;
  readonly url: string;
  readonly authScheme: AuthScheme;
};

export type AppParts = {
  readonly clientAddress: ClientAddress;
  readonly nextRequestId: RequestIds;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly publicUrl: string;
  /**
   * Answers paths that begin with none of the app's own segments; without it they are not found. The others it answers on
   * hosts that have short links alone, and leaves to the app elsewhere.
   */
  readonly elsewhere?: Elsewhere | undefined;
};

type Elsewhere = (request: IncomingMessage, response: ServerResponse, others?: RequestListener) => void;

export type App = FastifyInstance;

const maxUrlLength = 8192;
const bodyLimit = 64 * 1024;

/** The HTTP side of the API without its routes: authentication, the form of errors, request logs and metrics. */
export function createApp(parts: AppParts): App {
  const { clientAddress, nextRequestId, metrics, publicUrl } = parts;
  const authenticators: Partial<Authenticators> = {};
  const malformed = {
    ...parts,
    countAnonymous: (address: string) => requireAuthenticator(authenticators, 'anonymous')(address),
  };
  const app = fastify({
    loggerInstance: parts.logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: nextRequestId,
    bodyLimit,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    serverFactory: handler =>
      createHttpServer((request, response) => {
        toOriginForm(request);
        if (!parts.elsewhere) handler(request, response);
        else if (isOwn(request.url ?? '')) parts.elsewhere(request, response, handler);
        else parts.elsewhere(request, response);
      }),
    routerOptions: { maxParamLength: maxUrlLength },
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      authenticate(request, reply)
        .then(() => sendError(error, request, reply))
        .catch((refusal: unknown) => sendError(refusal, request, reply));
    },
    clientErrorHandler: (error, socket) => answerMalformedRequest(error, socket, malformed),
  }) as unknown as App;
  // Without these two, Node hangs up on CONNECT and answers an expectation that it does not know with an empty 417.
  app.server.on('connect', (_request, socket: Socket) => {
    // The parser has let go of the socket.
    socket.removeAllListeners('data');
    answerOnSocket(new AppError('invalid_request', 'This service is not a proxy.'), socket, malformed);
  });
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));

  function isOwn(url: string): boolean {
    const segment = /^\/([^/?#]*)/.exec(url)?.[1];
    return !segment || app.firstSegments.has(segment);
  }

  /** Lets the caller in by the scheme that the route declares, or throws. */
  async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const scheme = getAuthScheme(request);
    if (scheme === 'open') return;
    const address = clientAddress(request.socket.remoteAddress ?? '', request.headers['x-forwarded-for']);
    const authentication = await authenticateBy(authenticators, scheme, request, address);
    const { decision, cookies = [], refusal } = authentication;
    if (decision) reply.headers(rateLimitHeaders(decision));
    for (const cookie of cookies) reply.header('set-cookie', cookie);
    if (refusal) throw refusal;
    request.caller = authentication.caller;
    request.person = authentication.person ?? null;
    request.isStillAllowed = authentication.isStillAllowed ?? null;
    if (scheme === 'operatorSession') refuseNonOperator(request);
    if (scheme === 'session') requireAccount(request, authentication.callerRefusal);
    refuseUnpermitted(request);
    refuseSuspended(request, publicUrl);
    if (request.url.length > maxUrlLength)
      throw new AppError('uri_too_long', `The URL is longer than ${maxUrlLength} characters. Shorten it.`);
  }

  function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const refusal = error === request.raw.errored ? hungUp() : toAppError(error);
    const status = toStatus(refusal);
    if (status >= 500)
      request.log.error({ err: refusal.cause ?? refusal, code: refusal.code }, 'request failed');
    return (
      reply
        .code(status)
        .headers(errorHeaders(refusal))
        // Fastify would hang up on a client that is still sending, which would then never read why.
        .removeHeader('connection')
        .type('application/json; charset=utf-8')
        .serializer(JSON.stringify)
        .send(presentError(refusal, request.id, publicUrl))
    );
  }

  const isSecureHost = createSecureHostCheck(publicUrl);
  app.decorateRequest('caller', null);
  app.decorateRequest('person', null);
  app.decorateRequest('isStillAllowed', null);
  app.decorate('firstSegments', new Set<string>());
  app.decorate('declaredRoutes', []);
  app.decorate('addAuthenticators', added => void Object.assign(authenticators, added));
  app.addHook('onRoute', ({ method, url, config }) => {
    const authScheme = config?.authScheme;
    for (const verb of [method].flat()) {
      requireAuthScheme(`${verb} ${url}`, url, authScheme);
      requirePermission(`${verb} ${url}`, config!);
      app.declaredRoutes.push({ method: verb, url, authScheme: authScheme! });
    }
    app.firstSegments.add(url.split('/')[1] ?? '');
  });
  app.addHook('onReady', async () => {
    for (const { authScheme } of app.declaredRoutes)
      if (authScheme !== 'open') requireAuthenticator(authenticators, authScheme);
  });
  app.setValidatorCompiler(({ schema, httpPart }) =>
    httpPart === 'querystring' ? compileQueryValidator(schema as object) : compileValidator(schema as object),
  );
  app.setSerializerCompiler(({ schema }) => createSerializer(schema));
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
    const scheme = getAuthScheme(request);
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    if (isSecureHost(request.headers.host)) reply.header('strict-transport-security', strictTransport);
    if (scheme !== 'open') reply.header('cache-control', 'no-store');
    if (isForBrowsers(scheme)) reply.header('cross-origin-resource-policy', 'same-origin');
    await authenticate(request, reply);
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      throw new AppError('invalid_request', 'The Host header is missing.', { param: 'Host' });
    }
  });
  addCompression(app);
  app.addHook('preParsing', async (request, _reply, body) =>
    checkShape(body, request.headers['content-length']),
  );
  addRequestLog(app, metrics);
  return app;
}

/** A year. Other names below this one may have no certificate, so they are not included. */
const strictTransport = 'max-age=31536000';

/** Whether a browser may be told to use https from now on: on our own name if it is https, never on those of short links or owners. */
function createSecureHostCheck(publicUrl: string): (host: string | undefined) => boolean {
  const url = new URL(publicUrl);
  return host => url.protocol === 'https:' && host?.toLowerCase() === url.host;
}

const isForBrowsers = (scheme: AuthScheme) =>
  scheme === 'session' || scheme === 'operatorSession' || scheme === 'anonymousSameSite';

/** One line and one observation for each response, by its route and never by its URL, which may hold a secret. */
function addRequestLog(app: App, metrics: Metrics): void {
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
}

function createHttpServer(listener: RequestListener): Server {
  const server = createServer(
    // Node itself would refuse a request without a Host header, with an empty response.
    { maxHeaderSize: 32 * 1024, requireHostHeader: false },
    listener,
  );
  boundPipelining(server);
  server.requestTimeout = 15_000;
  server.keepAliveTimeout = 72_000;
  return server;
}
