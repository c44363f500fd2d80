import type { Operation } from '@signpost/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type Type from 'typebox';
import type { Caller } from '../kernel/caller.ts';
import type { AppError } from '../kernel/errors.ts';
import type { Database } from '../platform/postgres.ts';
import type { App } from './app.ts';
import { presentError, statusOf } from './errors.ts';
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
export type Handler<Of extends Operation> = (
  call: Call<Of>,
) => Promise<Of['success']['schema'] extends Type.TSchema ? Type.Static<Of['success']['schema']> : never>;

export type Routes = ReturnType<typeof createRoutes>;

type Parts = {
  readonly app: App;
  readonly db: Database;
  readonly idempotency: Idempotency;
  readonly publicUrl: string;
};

/** Puts operations of the contract on the app: each with the schemas that validate it and write its answer. */
export function createRoutes({ app, db, idempotency, publicUrl }: Parts) {
  async function answer<Of extends Operation>(
    operation: Of,
    handler: Handler<Of>,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const { status } = operation.success;
    const call = (on: Database) =>
      ({
        caller: request.caller,
        params: request.params,
        query: request.query,
        body: request.body,
        requestId: request.id,
        db: on,
      }) as unknown as Call<Of>;
    const key = operation.method === 'POST' ? parseIdempotencyKey(request.headers['idempotency-key']) : null;
    if (key === null) return reply.code(status).send(await handler(call(db)));

    reply.code(status);
    const refuse = (error: AppError) =>
      statusOf(error) < 500
        ? { status: statusOf(error), body: JSON.stringify(presentError(error, request.id, publicUrl)) }
        : null;
    const kept = await idempotency.once(
      { caller: request.caller!, key, fingerprint: fingerprintOf(operation.id, request.body) },
      async tx => ({ status, body: String(reply.serialize(await handler(call(tx)))) }),
      refuse,
    );
    if (kept.replayed) reply.header('idempotent-replayed', 'true');
    return reply
      .code(kept.status)
      .type('application/json; charset=utf-8')
      .serializer((body: string) => body)
      .send(kept.body);
  }

  return {
    add<const Of extends Operation>(
      operation: Of,
      handler: Handler<Of>,
      checks: { readonly body?: object } = {},
    ): void {
      app.route({
        method: operation.method,
        url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
        config: { public: operation.public === true },
        ...(operation.bodyLimit ? { bodyLimit: operation.bodyLimit } : {}),
        schema: {
          ...(operation.params ? { params: operation.params } : {}),
          ...(operation.query ? { querystring: operation.query } : {}),
          ...(operation.body ? { body: checks.body ?? operation.body } : {}),
          response: { [operation.success.status]: operation.success.schema },
        },
        handler: (request, reply) => answer(operation, handler, request, reply),
      });
    },
  };
}
