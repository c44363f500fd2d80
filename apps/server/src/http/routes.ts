import { isReplayed, type Operation } from '@signpost/contract';
import type { FastifyReply, FastifyRequest, preValidationHookHandler, RouteHandlerMethod } from 'fastify';
import type Type from 'typebox';
import type { Caller, Person } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import { heavyWork } from '../kernel/turns.ts';
import type { Database } from '../platform/postgres.ts';
import type { App } from './app.ts';
import { presentError, statusOf } from './errors.ts';
import { type FileAnswer, sendFile } from './files.ts';
import { fingerprintOf, type Idempotency, isKept, parseIdempotencyKey } from './idempotency.ts';
import { createQueryWarning, warningHeader } from './query-warning.ts';
import { type Reading, type StreamAnswer, sendStream } from './streams.ts';

/** A request after the guard and the schemas: typed values that can be trusted. */
export type Call<Of extends Operation> = {
  readonly caller: Caller;
  /** Who is signed in, on the dashboard's own paths. */
  readonly person: Person;
  readonly params: Part<Of, 'params'>;
  readonly query: Part<Of, 'query'>;
  readonly body: Part<Of, 'body'>;
  readonly requestId: string;
  /**
   * Where the work is done: with an Idempotency-Key a transaction, else the pool. It is the only database that a handler
   * may ask: one that asks the pool besides waits for a connection while it holds one.
   */
  readonly db: Database;
  /** For what is about the connection itself: cookies and streams. */
  readonly raw: { readonly request: FastifyRequest; readonly reply: FastifyReply };
};

type Part<Of extends Operation, Name extends 'params' | 'query' | 'body'> = Of extends {
  [Key in Name]: infer Schema extends Type.TSchema;
}
  ? Type.Static<Schema>
  : undefined;

/** What answers an operation with the body of its success. */
export type Handler<Of extends Operation, Ready = undefined> = (
  call: Call<Of>,
  ready: Ready,
) => Promise<Body<Of>>;

type Body<Of extends Operation> = Of['success'] extends { schema: infer Schema extends Type.TSchema }
  ? Type.Static<Schema>
  : never;

/** Before the paths of the API where a session opens them. */
export const sessionPrefix = '/account';

/** What answers an operation with a file. */
export type FileHandler<Of extends Operation> = (call: Call<Of>) => Promise<FileAnswer>;

/** What answers an operation with a file that is written while it is sent. */
export type StreamHandler<Of extends Operation> = (call: Call<Of>) => Promise<StreamAnswer>;

/** A body that was not sent is an empty object where that will do, and else a refusal that says what is missing. */
function needBody(request: FastifyRequest, isOptional: boolean): void {
  if (request.body !== undefined) return;
  if (!isOptional) {
    const message =
      'This endpoint needs a JSON body, and the request has none. Send one with the header "Content-Type: application/json".';
    throw new AppError('invalid_request', message);
  }
  request.body = {};
}

export type Routes = ReturnType<typeof createRoutes>;

/** What tells a request from another of its operation: its body, and what it is about where its path says that. */
const askedOf = ({ path }: Operation, { params, body }: FastifyRequest): unknown =>
  path.includes('{') ? { params, body } : body;

/** Unknown query parameters pass, but not in silence. */
function warnOfUnknown(known: readonly string[]): preValidationHookHandler {
  const warningOf = createQueryWarning(known);
  return (request, reply, done) => {
    const warning = request.url.includes('?') ? warningOf(request.query as object) : null;
    if (warning !== null) reply.header(warningHeader, warning);
    done();
  };
}

/** How an answer is written where it is kept, and read again. */
export type Sealing = { seal(body: string): string; open(body: string): string };

/** What an operation needs besides its handler. */
type Checks<Of extends Operation, Ready> = {
  /** Stands in for the body's schema where the handler checks parts of it by itself. */
  readonly body?: object;
  /** Keeps an answer unreadable where it is kept for a repeated request. */
  readonly sealed?: Sealing;
  /**
   * What waits for anything but PostgreSQL: name servers, ClickHouse. It runs before the handler, never in a transaction,
   * so that whoever is silent there holds no connection that others need.
   */
  readonly prepare?: (call: Call<Of>) => Promise<Ready>;
  /**
   * Runs when the call is over and its transaction with it, however it ended: gives back what `prepare` took and the
   * handler did not use. A repeated request uses nothing.
   */
  readonly finish?: (ready: Ready) => Promise<void>;
};

const asIs: Sealing = { seal: body => body, open: body => body };

export type { StreamAnswer };

type Parts = {
  readonly app: App;
  readonly db: Database;
  readonly idempotency: Idempotency;
  readonly publicUrl: string;
  /** Whether every operation of the API is there for sessions too, under /account. */
  readonly forSessions?: boolean;
  /** How fast files have to be read that are written while they are sent. */
  readonly reading: Reading;
};

/** Puts operations of the contract on the app: each with the schemas that validate it and write its answer. */
export function createRoutes({ app, db, idempotency, publicUrl, forSessions = false, reading }: Parts) {
  function toCall<Of extends Operation>(
    request: FastifyRequest,
    reply: FastifyReply,
    on: Database,
  ): Call<Of> {
    const { caller, person, params, query, body, id: requestId } = request;
    const raw = { request, reply };
    return { caller, person, params, query, body, requestId, db: on, raw } as unknown as Call<Of>;
  }

  async function answer<Of extends Operation, Ready>(
    operation: Of,
    handler: Handler<Of, Ready>,
    request: FastifyRequest,
    reply: FastifyReply,
    checks: Checks<Of, Ready>,
  ) {
    let finish = async () => {};
    const prepare = async (call: Call<Of>) => {
      const ready = await checks.prepare!(call);
      finish = async () => checks.finish?.(ready);
      return ready;
    };
    try {
      return await answerOnce(
        operation,
        handler,
        request,
        reply,
        checks.prepare ? { ...checks, prepare } : checks,
      );
    } finally {
      await finish();
    }
  }

  async function answerOnce<Of extends Operation, Ready>(
    operation: Of,
    handler: Handler<Of, Ready>,
    request: FastifyRequest,
    reply: FastifyReply,
    { prepare, sealed: { seal, open } = asIs }: Checks<Of, Ready>,
  ) {
    const { status } = operation.success;
    const key = isReplayed(operation) ? parseIdempotencyKey(request.headers['idempotency-key']) : null;
    const call = toCall<Of>(request, reply, db);
    if (key === null) {
      const ready = (await prepare?.(call)) as Ready;
      return reply.code(status).send(await handler(call, ready));
    }

    reply.code(status);
    const hash = () => fingerprintOf(operation.id, askedOf(operation, request));
    // Of a body of megabytes this takes as long as parsing it.
    const fingerprint = async () => (operation.bodyLimit ? await heavyWork.run(hash) : hash());
    // Kept are refusals that say something of the request; one that says to wait would hold for a day.
    const refuse = (error: AppError) =>
      isKept(statusOf(error))
        ? { status: statusOf(error), body: JSON.stringify(presentError(error, request.id, publicUrl)) }
        : null;
    const kept = await idempotency.once(
      { caller: request.caller!, key, fingerprint: await fingerprint() },
      {
        prepare: prepare && (() => prepare(call)),
        work: async (tx, ready: Ready) => ({
          status,
          body: seal(String(reply.serialize(await handler({ ...call, db: tx }, ready)))),
        }),
        refuse,
      },
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
    const { query, success, bodyLimit, bodyOptional = false } = operation;
    const { public: isPublic = false, showsSecret = false, constant = false } = operation;
    const { whileSuspended = false } = operation;
    const warn = warnOfUnknown(Object.keys(query?.properties ?? {}));
    const checkBody = async (request: FastifyRequest) => needBody(request, bodyOptional);
    for (const path of pathsOf(operation)) {
      app.route({
        method: operation.method,
        url: path.replace(/\{(\w+)\}/g, ':$1'),
        config: { public: isPublic, showsSecret, constant, whileSuspended },
        ...(bodyLimit ? { bodyLimit } : {}),
        preValidation: [
          // What the dashboard asks is its own affair.
          ...(path.startsWith('/v1/') ? [warn] : []),
          ...(body ? [checkBody] : []),
        ],
        schema: {
          ...(query ? { querystring: query } : {}),
          ...(body ? { body } : {}),
          ...('schema' in success ? { response: { [success.status]: success.schema } } : {}),
        },
        handler,
      });
    }
  }

  /** What a key may do a session may do too, by the same handler; only who is let in differs. */
  const pathsOf = ({ path, public: isPublic }: Operation) =>
    forSessions && path.startsWith('/v1/') && !isPublic ? [path, `${sessionPrefix}${path}`] : [path];

  return {
    add<const Of extends Operation, Ready = undefined>(
      operation: Of,
      handler: Handler<Of, Ready>,
      checks: Checks<Of, Ready> = {},
    ): void {
      register(operation, operation.body && (checks.body ?? operation.body), (request, reply) =>
        answer(operation, handler, request, reply, checks),
      );
    },

    /** The handler answers by itself, for as long as it likes; what it throws before that is answered as usual. */
    addEvents<const Of extends Operation>(operation: Of, handler: (call: Call<Of>) => Promise<void>): void {
      register(operation, undefined, async (request, reply) => {
        await handler(toCall(request, reply, db));
        return reply;
      });
    },

    addStream<const Of extends Operation>(operation: Of, handler: StreamHandler<Of>): void {
      register(operation, undefined, async (request, reply) =>
        sendStream(request, reply, await handler(toCall(request, reply, db)), reading),
      );
    },

    addFile<const Of extends Operation>(operation: Of, handler: FileHandler<Of>): void {
      register(operation, undefined, async (request, reply) =>
        sendFile(request, reply, await handler(toCall(request, reply, db))),
      );
    },
  };
}
