import type { Operation } from '@signpost/contract';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type Type from 'typebox';
import type { Caller } from '../kernel/caller.ts';
import type { AppError } from '../kernel/errors.ts';
import type { Database } from '../platform/postgres.ts';
import type { App } from './app.ts';
import { presentError, statusOf } from './errors.ts';
import { type FileAnswer, sendFile } from './files.ts';
import { fingerprintOf, type Idempotency, parseIdempotencyKey } from './idempotency.ts';

/** A request after the guard and the schemas: typed values that can be trusted. */
export type Call<Of extends Operation> = {
  readonly caller: Caller;
  readonly params: Part<Of, 'params'>;
  readonly query: Part<Of, 'query'>;
  readonly body: Part<Of, 'body'>;
  readonly requestId: string;
  /** Where the work is done: with an Idempotency-Key a transaction, else the pool. */
  readonly db: Database;
};

type Part<Of extends Operation, Name extends 'params' | 'query' | 'body'> = Of extends {
  [Key in Name]: infer Schema extends Type.TSchema;
}
  ? Type.Static<Schema>
  : undefined;

/** What answers an operation with the body of its success. */
export type Handler<Of extends Operation> = (call: Call<Of>) => Promise<Body<Of>>;

type Body<Of extends Operation> = Of['success'] extends { schema: infer Schema extends Type.TSchema }
  ? Type.Static<Schema>
  : never;

/** What answers an operation with a file. */
export type FileHandler<Of extends Operation> = (call: Call<Of>) => Promise<FileAnswer>;

export type Routes = ReturnType<typeof createRoutes>;

/** What tells a request from another of its operation: its body, and what it is about where its path says that. */
const askedOf = ({ path }: Operation, { params, body }: FastifyRequest): unknown =>
  path.includes('{') ? { params, body } : body;

/** How an answer is written where it is kept, and read again. */
export type Sealing = { seal(body: string): string; open(body: string): string };

const asIs: Sealing = { seal: body => body, open: body => body };

type Parts = {
  readonly app: App;
  readonly db: Database;
  readonly idempotency: Idempotency;
  readonly publicUrl: string;
};

/** Puts operations of the contract on the app: each with the schemas that validate it and write its answer. */
export function createRoutes({ app, db, idempotency, publicUrl }: Parts) {
  function toCall<Of extends Operation>(request: FastifyRequest, on: Database): Call<Of> {
    const { caller, params, query, body, id: requestId } = request;
    return { caller, params, query, body, requestId, db: on } as unknown as Call<Of>;
  }

  async function answer<Of extends Operation>(
    operation: Of,
    handler: Handler<Of>,
    request: FastifyRequest,
    reply: FastifyReply,
    { seal, open }: Sealing,
  ) {
    const { status } = operation.success;
    const key = operation.method === 'POST' ? parseIdempotencyKey(request.headers['idempotency-key']) : null;
    if (key === null) return reply.code(status).send(await handler(toCall(request, db)));

    reply.code(status);
    const refuse = (error: AppError) =>
      statusOf(error) < 500
        ? { status: statusOf(error), body: JSON.stringify(presentError(error, request.id, publicUrl)) }
        : null;
    const kept = await idempotency.once(
      { caller: request.caller!, key, fingerprint: fingerprintOf(operation.id, askedOf(operation, request)) },
      async tx => ({ status, body: seal(String(reply.serialize(await handler(toCall(request, tx))))) }),
      refuse,
    );
    if (kept.replayed) reply.header('idempotent-replayed', 'true');
    return reply
      .code(kept.status)
      .type('application/json; charset=utf-8')
      .serializer((body: string) => body)
      .send(kept.status === status ? open(kept.body) : kept.body);
  }

  // Path parameters need no check: they are text, and each handler says what it makes of them.
  function register(operation: Operation, body: object | undefined, handler: RouteHandlerMethod): void {
    const { query, success, bodyLimit } = operation;
    app.route({
      method: operation.method,
      url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
      config: { public: operation.public === true },
      ...(bodyLimit ? { bodyLimit } : {}),
      schema: {
        ...(query ? { querystring: query } : {}),
        ...(body ? { body } : {}),
        ...('schema' in success ? { response: { [success.status]: success.schema } } : {}),
      },
      handler,
    });
  }

  return {
    /**
     * `checks.body` stands in for the body's schema where the handler checks parts of it by itself; `checks.sealed`
     * keeps an answer unreadable where it is kept for a repeated request.
     */
    add<const Of extends Operation>(
      operation: Of,
      handler: Handler<Of>,
      checks: { readonly body?: object; readonly sealed?: Sealing } = {},
    ): void {
      register(operation, operation.body && (checks.body ?? operation.body), (request, reply) =>
        answer(operation, handler, request, reply, checks.sealed ?? asIs),
      );
    },

    addFile<const Of extends Operation>(operation: Of, handler: FileHandler<Of>): void {
      register(operation, undefined, async (request, reply) =>
        sendFile(request, reply, await handler(toCall(request, db))),
      );
    },
  };
}
