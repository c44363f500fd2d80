import { Readable } from 'node:stream';
import { isAudited, isReplayed, type Operation } from '@signpost/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../kernel/caller.ts';
import type { AppError } from '../kernel/errors.ts';
import { cpuQueue } from '../kernel/running/cpu-queue.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { AuditLog, EventNotes } from './audited.ts';
import { type Call, type ResponseBody, toCall } from './call.ts';
import { presentError, toStatus } from './errors.ts';
import { hasListInTurns, serializeInTurns } from './list-in-turns.ts';

/** Does the work of a repeated POST once. */
export type Idempotency = {
  /** The key in the Idempotency-Key header, or null where there is none. */
  parseKey(header: string | string[] | undefined): string | null;
  /** The same for equal requests. Takes as long as parsing the body. */
  toFingerprint(operationId: string, content: unknown): Buffer;
  once<Prepared>(attempt: Attempt, work: IdempotentWork<Prepared>): Promise<Replay>;
};

/** A response as it is sent, and as it is stored. */
type StoredResponse = { readonly status: number; readonly body: string };

export type Replay = StoredResponse & {
  /** Whether it is the stored response of an earlier request. */
  readonly replayed: boolean;
};

/** A POST that may be sent again: who sends it, under which key, and what tells it from another. */
export type Attempt = { readonly caller: Caller; readonly key: string; readonly fingerprint: Buffer };

/** What is done for an attempt, in two steps. */
export type IdempotentWork<Prepared> = {
  /** What waits for something outside the database, a name server or ClickHouse: before a transaction is open. */
  readonly prepare?: (() => Promise<Prepared>) | undefined;
  readonly run: (tx: Database, prepared: Prepared) => Promise<StoredResponse>;
  /** The response for a refusal. */
  readonly refuse: (error: AppError) => StoredResponse;
};

/** Produces the body of an operation's successful response. */
export type Handler<Op extends Operation, Prepared = undefined> = (
  call: Call<Op>,
  prepared: Prepared,
) => Promise<ResponseBody<Op>>;

/** How a response is written where it is stored, and read again. */
type BodyCipher = { encrypt(body: string): string; decrypt(body: string): string };

/** What an operation needs besides its handler. */
export type HandlerOptions<Op extends Operation, Prepared> = {
  /** Replaces the body's schema where the handler validates parts of the body itself. */
  readonly body?: object;
  /** The handler writes the event of its call in the statement or transaction of the change. */
  readonly writesEvent?: boolean;
  /** The handler uses no database but its `db`, so that it runs in one transaction with its event, as those for keys do. */
  readonly inTransaction?: boolean;
  /** Keeps a response that is stored for a repeated request unreadable. */
  readonly bodyCipher?: BodyCipher;
  /**
   * What waits for anything but PostgreSQL: name servers, ClickHouse. It runs before the handler and never in a
   * transaction, so that a server that does not answer holds no connection that others need.
   */
  readonly prepare?: (call: Call<Op>) => Promise<Prepared>;
  /**
   * Runs when the call and its transaction are over, however they ended: returns what `prepare` took and the handler
   * did not use. A repeated request uses nothing.
   */
  readonly finish?: (prepared: Prepared) => Promise<void>;
};

type Parts = {
  readonly db: Database;
  readonly idempotency: Idempotency;
  readonly publicUrl: string;
  readonly audit?: AuditLog | undefined;
};

type Recorded = {
  readonly operation: Operation;
  readonly request: FastifyRequest;
  readonly notes: () => EventNotes;
  readonly writesEvent: boolean | undefined;
  readonly inTransaction: boolean;
};

/** A handler whose event is written with what it did. */
type Work = (on: Database) => Promise<unknown>;

const plainText: BodyCipher = { encrypt: body => body, decrypt: body => body };

/** Answers calls by their handlers: at most once for an Idempotency-Key. */
export function createAnswering({ db, idempotency, publicUrl, audit }: Parts) {
  /**
   * Does the work and writes its event: what keys may do in one transaction, since those handlers use no other connection.
   * Handlers for people that use several write their event themselves, with the change. Only for a sign-in it follows after
   * the change, and before the response: without that, nobody has the cookie of the new session.
   */
  async function withEvent(
    { operation, request, notes, writesEvent, inTransaction }: Recorded,
    on: Database,
    work: Work,
  ): Promise<unknown> {
    if (!audit || writesEvent || !isAudited(operation)) return await work(on);
    const recorded = async (inner: Database) => {
      const response = await work(inner);
      await audit.record(inner, { operation, request, response, notes: notes() });
      return response;
    };
    return inTransaction ? await on.transaction(recorded) : await recorded(on);
  }

  async function answerOnce<Op extends Operation, Prepared>(
    operation: Op,
    handler: Handler<Op, Prepared>,
    call: Call<Op>,
    notes: () => EventNotes,
    options: HandlerOptions<Op, Prepared>,
  ) {
    const { request, reply } = call.raw;
    const { prepare, writesEvent, bodyCipher: { encrypt, decrypt } = plainText } = options;
    const { inTransaction = operation.authScheme === 'apiKey' } = options;
    const event = { operation, request, notes, writesEvent, inTransaction };
    const { status } = operation.success;
    const { caller } = call;
    const key =
      caller && isReplayed(operation) ? idempotency.parseKey(request.headers['idempotency-key']) : null;
    if (!caller || key === null) {
      const prepared = (await prepare?.(call)) as Prepared;
      // Before the handler, which may choose another.
      reply.code(status);
      const body = await withEvent(event, db, on => handler({ ...call, db: on }, prepared));
      if (!hasListInTurns(body)) return reply.send(body);
      return sendJson(reply, joined(await serializeInTurns(reply, getSchema(operation), body as object)));
    }

    reply.code(status);
    const hash = () => idempotency.toFingerprint(operation.id, pickContent(operation, request));
    // A body of megabytes takes its turn, as it did when it was parsed.
    const fingerprint = operation.bodyLimit ? await cpuQueue.run(hash) : hash();
    const response = await idempotency.once(
      { caller, key, fingerprint },
      {
        prepare: prepare && (() => prepare(call)),
        run: async (tx, prepared: Prepared) => ({
          status,
          body: encrypt(
            await serialize(
              operation,
              reply,
              await withEvent(event, tx, on => handler({ ...call, db: on }, prepared)),
            ),
          ),
        }),
        refuse: error => ({
          status: toStatus(error),
          body: JSON.stringify(presentError(error, request.id, publicUrl)),
        }),
      },
    );
    if (response.replayed) reply.header('idempotent-replayed', 'true');
    reply.code(response.status);
    return sendJson(reply, response.status === status ? decrypt(response.body) : response.body);
  }

  return async function answer<Op extends Operation, Prepared>(
    operation: Op,
    handler: Handler<Op, Prepared>,
    [request, reply]: readonly [FastifyRequest, FastifyReply],
    options: HandlerOptions<Op, Prepared>,
  ) {
    let notes: EventNotes = {};
    const call = toCall<Op>(request, reply, db, {
      noteEvent(more) {
        notes = { ...notes, ...more };
      },
      writeEvent: async (tx, more = {}) =>
        await audit?.record(tx, { operation, request, response: null, notes: more }),
      toEvent: more => audit?.toEvent({ operation, request, response: null, notes: more }) ?? null,
    });
    let finish = async () => {};
    const prepare = async (prepareCall: Call<Op>) => {
      const prepared = await options.prepare!(prepareCall);
      finish = async () => options.finish?.(prepared);
      return prepared;
    };
    try {
      const own = options.prepare ? { ...options, prepare } : options;
      return await answerOnce(operation, handler, call, () => notes, own);
    } finally {
      await finish();
    }
  };
}

/** What tells a request from another of its operation: its body, and its path parameters where there are any. */
const pickContent = ({ path }: Operation, { params, body }: FastifyRequest): unknown =>
  path.includes('{') ? { params, body } : body;

const getSchema = ({ success }: Operation): object => ('schema' in success ? success.schema : {});

/** The response as it is stored. */
async function serialize(operation: Operation, reply: FastifyReply, body: unknown): Promise<string> {
  if (!hasListInTurns(body)) return String(reply.serialize(body));
  return Buffer.concat(await serializeInTurns(reply, getSchema(operation), body as object)).toString();
}

/** From this size on, pieces are sent as they are: to join 50 MB takes 40 ms. */
const streamedBytes = 4 * 1024 * 1024;

function joined(pieces: readonly Buffer[]): Buffer | Readable {
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
  return bytes < streamedBytes ? Buffer.concat(pieces) : Readable.from(pieces, { objectMode: false });
}

/** Sends what is JSON already. */
const sendJson = (reply: FastifyReply, body: string | Buffer | Readable) =>
  reply
    .type('application/json; charset=utf-8')
    .serializer((json: string) => json)
    .send(body);
