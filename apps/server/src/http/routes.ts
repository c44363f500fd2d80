import { isAudited, type Operation } from '@signpost/contract';
import type { FastifyRequest, preValidationHookHandler, RouteHandlerMethod } from 'fastify';
import { AppError } from '../kernel/errors.ts';
import { parsePrecondition } from '../kernel/precondition.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { AuthScheme } from './access/authentication.ts';
import { createAnswering, type Handler, type HandlerOptions, type Idempotency } from './answering.ts';
import type { App } from './app.ts';
import type { AuditLog } from './audited.ts';
import { type Call, toCall } from './call.ts';
import { type SlowReaderPolicy, type StreamAnswer, sendStream } from './connections/streams.ts';
import { type FileAnswer, sendFile } from './files/files.ts';
import { createQueryWarning, warningHeader } from './validation/query-warning.ts';

export type { Call } from './call.ts';
export type { StreamAnswer };

export type Routes = ReturnType<typeof createRoutes>;

type Parts = {
  readonly app: App;
  readonly db: Database;
  readonly idempotency: Idempotency;
  readonly publicUrl: string;
  readonly audit?: AuditLog;
  /** Whether there are sessions: they may use every operation of the API too, under /account. */
  readonly forSessions?: boolean;
  /** How fast clients have to read files that are written while they are sent. */
  readonly slowReaders: SlowReaderPolicy;
};

/** The prefix of the API's paths where a session opens them. */
const sessionPrefix = '/account';

/** Adds operations of the contract to the app, each with the schemas that validate it and serialize its response. */
export function createRoutes({
  app,
  db,
  idempotency,
  publicUrl,
  audit,
  forSessions = false,
  slowReaders,
}: Parts) {
  const answer = createAnswering({ db, idempotency, publicUrl, audit });

  // Path parameters are not validated here: they are text, and each handler parses its own.
  function register(operation: Operation, body: object | undefined, handler: RouteHandlerMethod): void {
    const { query, success, permission, bodyLimit, bodyOptional = false } = operation;
    const {
      showsSecret = false,
      constant = false,
      whileSuspended = false,
      withoutAccount = false,
      testModeOnly = false,
    } = operation;
    const warn = warnOfUnknown(Object.keys(query?.properties ?? {}));
    const checkBody = async (request: FastifyRequest) => requireBody(request, bodyOptional);
    const checkHeaders = async (request: FastifyRequest) => checkPrecondition(operation, request);
    for (const { path, authScheme } of listPaths(operation)) {
      app.route({
        method: operation.method,
        url: path.replace(/\{(\w+)\}/g, ':$1'),
        config: {
          authScheme,
          permission,
          showsSecret,
          constant,
          whileSuspended,
          withoutAccount,
          testModeOnly,
        },
        ...(bodyLimit ? { bodyLimit } : {}),
        preValidation: [
          // The dashboard may send parameters that only its later versions know.
          ...(path.startsWith('/v1/') ? [warn] : []),
          ...(operation.ifMatch ? [checkHeaders] : []),
          ...(body ? [checkBody] : []),
        ],
        schema: {
          ...(query ? { querystring: query } : {}),
          ...(body ? { body } : {}),
          ...('schema' in success ? { response: listResponses(operation, success.schema) } : {}),
        },
        handler,
      });
    }
  }

  /**
   * What a key may do, a session may do too, by the same handler; only the authentication differs. Without a dashboard
   * there are no operations for sessions.
   */
  function listPaths({ path, authScheme }: Operation): readonly { path: string; authScheme: AuthScheme }[] {
    const own = { path, authScheme };
    if (authScheme === 'anonymous') return [own];
    if (authScheme !== 'apiKey') return forSessions ? [own] : [];
    if (!forSessions) return [own];
    return [own, { path: `${sessionPrefix}${path}`, authScheme: 'session' }];
  }

  return {
    add<const Op extends Operation, Prepared = undefined>(
      operation: Op,
      handler: Handler<Op, Prepared>,
      options: HandlerOptions<Op, Prepared> = {},
    ): void {
      register(operation, operation.body && (options.body ?? operation.body), (request, reply) =>
        answer(operation, handler, [request, reply], options),
      );
    },

    /** The handler writes the response itself, for as long as it likes; what it throws before is answered as usual. */
    addEvents<const Op extends Operation>(operation: Op, handler: (call: Call<Op>) => Promise<void>): void {
      register(operation, undefined, async (request, reply) => {
        await handler(toCall(request, reply, db));
        return reply;
      });
    },

    /** A file that is written while it is sent. */
    addStream<const Op extends Operation>(
      operation: Op,
      handler: (call: Call<Op>) => Promise<StreamAnswer>,
    ): void {
      register(operation, operation.body, async (request, reply) => {
        const stream = await handler(toCall(request, reply, db));
        if (isAudited(operation)) await audit?.record(db, { operation, request, response: null, notes: {} });
        return sendStream(request, reply, stream, slowReaders);
      });
    },

    addFile<const Op extends Operation>(
      operation: Op,
      handler: (call: Call<Op>) => Promise<FileAnswer>,
    ): void {
      register(operation, undefined, async (request, reply) =>
        sendFile(request, reply, await handler(toCall(request, reply, db))),
      );
    },
  };
}

/** By status, so that each is serialized by the schema. */
const listResponses = ({ success, createdDescription }: Operation, schema: object) => ({
  [success.status]: schema,
  ...(createdDescription ? { 201: schema } : {}),
});

/** Refuses a malformed If-Match, and any where it would have to hold of several codes. */
function checkPrecondition({ ifMatch }: Operation, { headers }: FastifyRequest): void {
  const { ifMatch: wanted } = parsePrecondition(headers);
  if (ifMatch !== 'refused' || wanted === undefined) return;
  const message =
    'If-Match cannot be used here: several codes may change, each with a revision of its own. Leave it out, or change one code at a time.';
  throw new AppError('invalid_request', message, { param: 'If-Match' });
}

/** A missing body stands for an empty object where that will do; else it is refused with what is missing. */
function requireBody(request: FastifyRequest, isOptional: boolean): void {
  if (request.body !== undefined) return;
  if (!isOptional) {
    const message =
      'This endpoint needs a JSON body, and the request has none. Send one with the header "Content-Type: application/json".';
    throw new AppError('invalid_request', message);
  }
  request.body = {};
}

/** Unknown query parameters are ignored, but not silently. */
function warnOfUnknown(known: readonly string[]): preValidationHookHandler {
  const findWarning = createQueryWarning(known);
  return (request, reply, done) => {
    const warning = request.url.includes('?') ? findWarning(request.query as object) : null;
    if (warning !== null) reply.header(warningHeader, warning);
    done();
  };
}
