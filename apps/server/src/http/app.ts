import { isUtf8 } from 'node:buffer';
import type { Socket } from 'node:net';
import { type Operation, operations } from '@signpost/contract';
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import type { Caller } from '../kernel/caller.ts';
import type { ClientAddress } from '../kernel/client-address.ts';
import { AppError } from '../kernel/errors.ts';
import { formatId, type Ids } from '../kernel/ids.ts';
import type { Verdict } from '../kernel/sliding-windows.ts';
import type { Logger } from '../platform/logger.ts';
import type { Metrics } from '../platform/metrics.ts';
import { errorHeaders, presentError, statusOf, toAppError } from './errors.ts';
import type { Guard } from './guard.ts';
import { compileQueryValidator, compileValidator } from './validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    public?: boolean;
  }
}

export type AppParts = {
  readonly guard: Guard;
  readonly clientAddress: ClientAddress;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly publicUrl: string;
};

export type App = FastifyInstance;

const maxUrlLength = 8192;
const bodyLimit = 64 * 1024;
const lingerMs = 1000;
/** No body of the contract is nested half as deep. */
const maxDepth = 32;

/** The HTTP side of the API, without its routes: who may come in, how errors look, what is logged and measured. */
export function createApp(parts: AppParts): App {
  const { guard, clientAddress, ids, metrics, publicUrl } = parts;
  const app = fastify({
    loggerInstance: parts.logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: () => formatId('req', ids.next()),
    bodyLimit,
    requestTimeout: 15_000,
    keepAliveTimeout: 72_000,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Node would refuse a request without a host by itself, with an empty answer.
    http: { maxHeaderSize: 32 * 1024, requireHostHeader: false },
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
  app.server.on('connect', (_request, socket: Socket) =>
    answerOnSocket(new AppError('invalid_request', 'This service is no proxy.'), socket, parts),
  );
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));

  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!isApi(request)) return;
    const address = clientAddress(request.socket.remoteAddress ?? '', forwardedFor(request));
    const admission = request.routeOptions?.config?.public
      ? guard.admitAnybody(address)
      : await guard.admit(request.headers.authorization, address);
    reply.headers(limitHeaders(admission.verdict));
    if (admission.refusal) throw admission.refusal;
    request.caller = admission.caller;
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
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, parseJson(body as Buffer, request.method));
    } catch (error) {
      done(error as AppError);
    }
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    if (isApi(request)) reply.header('cache-control', 'no-store');
    await admit(request, reply);
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      throw new AppError('invalid_request', 'The Host header is missing.', { param: 'Host' });
    }
  });
  app.addHook('onResponse', async (request, reply) => {
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
  });
  return app;
}

/**
 * Stops taking requests and resolves when those in flight are answered. A connection that falls idle meanwhile is
 * closed too: else a client that keeps its connections would keep the process.
 */
export async function closeApp(app: App): Promise<void> {
  const sweeper = setInterval(() => app.server.closeIdleConnections(), 50);
  try {
    await app.close();
  } finally {
    clearInterval(sweeper);
  }
}

/** The rate limit as every answer under /v1 tells it. */
export function limitHeaders(verdict: Verdict): Record<string, string> {
  return {
    'x-ratelimit-limit': String(verdict.limit),
    'x-ratelimit-remaining': String(verdict.remaining),
    'x-ratelimit-reset': String(verdict.resetAtSeconds),
  };
}

/**
 * Whether the guard stands before it. The router's word counts, not the text of the URL: it takes a path with
 * encoded letters, or with a scheme and a host before it, to the same route.
 */
const isApi = (request: FastifyRequest) =>
  /^\/v1(?:\/|$)/.test(request.routeOptions?.url ?? pathOf(request.url));

const pathOf = (url: string) => url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0]!;

function forwardedFor(request: FastifyRequest): string | undefined {
  const header = request.headers['x-forwarded-for'];
  return Array.isArray(header) ? header.join(',') : header;
}

function parseJson(body: Buffer, method: string): unknown {
  // Many clients send a content type with every request, also with one that has no body.
  if (body.length === 0 && method === 'DELETE') return undefined;
  if (!isUtf8(body)) throw new AppError('invalid_json', 'The body is not valid UTF-8.');
  const value = readJson(body);
  if (!isWithinDepth(value, maxDepth)) {
    throw new AppError('invalid_json', `The body is nested deeper than ${maxDepth} levels.`);
  }
  return value;
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new AppError(
      'invalid_json',
      'The body is not valid JSON. Check for a missing quote, comma or bracket.',
      { cause },
    );
  }
}

/** JSON.parse takes any depth, but whatever walks through a value by calling itself would run out of stack. */
function isWithinDepth(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return true;
  return levels > 0 && Object.values(value).every(inner => isWithinDepth(inner, levels - 1));
}

const paths = Map.groupBy(Object.values<Operation>(operations), operation => operation.path);

const patterns = [...paths].map(([path, sharing]) => ({
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  methods: sharing.map(operation => operation.method),
}));

function allowedMethods(url: string): readonly string[] {
  const path = pathOf(url);
  // The most exact path first: /v1/qrcodes/bulk is no code's id to the router either.
  return patterns.find(({ pattern }) => pattern.test(path))?.methods ?? [];
}

/** Nobody reads this answer, but neither the log nor the metrics may call it a fault of ours. */
const hungUp = () => new AppError('invalid_request', 'The connection was closed before the body had ended.');

/** What is not even HTTP gets an answer in the usual form, and then the connection is closed. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket, parts: AppParts) {
  // Answered already: every further piece of a broken request is an error again, until the time is up.
  if (socket.writableEnded) return;
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const refusal =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new AppError('uri_too_long', 'The URL and headers of the request are too long.')
      : new AppError('invalid_request', 'The request is not well-formed HTTP.');
  answerOnSocket(refusal, socket, parts);
}

function answerOnSocket(refusal: AppError, socket: Socket, { guard, ids, publicUrl }: AppParts) {
  const requestId = formatId('req', ids.next());
  const { verdict } = guard.admitAnybody(socket.remoteAddress ?? '');
  const status = statusOf(refusal);
  const body = JSON.stringify(presentError(refusal, requestId, publicUrl));
  const headers = {
    ...limitHeaders(verdict),
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status} ${status === 414 ? 'URI Too Long' : 'Bad Request'}\r\n${lines.join('')}\r\n${body}`,
  );
  // What still comes is read and dropped, so that the answer is not lost to a reset; but nobody may stay for long.
  socket.resume();
  // Node listens no more on a socket that it has handed over: a reset would end the process.
  socket.on('error', () => socket.destroy());
  const leave = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(leave));
}
