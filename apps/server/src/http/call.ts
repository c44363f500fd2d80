import type { Operation } from '@signpost/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type Type from 'typebox';
import type { Caller, Person } from '../kernel/caller.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { AuditEvent, EventNotes, WriteEvent } from './audited.ts';

/** A request after authentication and validation: typed values that can be trusted. */
export type Call<Op extends Operation> = {
  /** Null only where the operation takes a person without an account, or one of several accounts that is not named. */
  readonly caller: TakesNoAccount<Op> extends true ? Caller | null : Caller;
  /** Who is signed in, on the dashboard's own paths. */
  readonly person: Person;
  readonly params: Part<Op, 'params'>;
  readonly query: Part<Op, 'query'>;
  readonly body: Part<Op, 'body'>;
  readonly requestId: string;
  /**
   * Where the work is done: a transaction if there is an Idempotency-Key, else the pool. It is the only database that a
   * handler may use: one that used the pool besides would wait for a second connection while it holds the first.
   */
  readonly db: Database;
  /** Adds to the event of this call in the audit log. */
  readonly noteEvent: (notes: EventNotes) => void;
  /** Writes the event of this call, for a handler that does so itself (`writesEvent`). */
  readonly writeEvent: WriteEvent;
  /** That event, for a statement that writes it with the change. Null: none is to be written. */
  readonly toEvent: (notes: EventNotes) => AuditEvent | null;
  /** For what concerns the connection itself: cookies and streams. */
  readonly raw: { readonly request: FastifyRequest; readonly reply: FastifyReply };
};

type TakesNoAccount<Op extends Operation> = Op extends
  | { readonly authScheme: 'operatorSession' }
  | { readonly withoutAccount: true }
  ? true
  : false;

type Part<Op extends Operation, Name extends 'params' | 'query' | 'body'> = Op extends {
  [Key in Name]: infer Schema extends Type.TSchema;
}
  ? Type.Static<Schema>
  : undefined;

/** The body of an operation's successful response. */
export type ResponseBody<Op extends Operation> = Op['success'] extends {
  schema: infer Schema extends Type.TSchema;
}
  ? Type.Static<Schema>
  : never;

const noEvents = { noteEvent: () => {}, writeEvent: async () => {}, toEvent: () => null };

export function toCall<Op extends Operation>(
  request: FastifyRequest,
  reply: FastifyReply,
  db: Database,
  events: Pick<Call<Op>, 'noteEvent' | 'writeEvent' | 'toEvent'> = noEvents,
): Call<Op> {
  const { caller, person, params, query, body, id: requestId } = request;
  const raw = { request, reply };
  return { caller, person, params, query, body, requestId, db, ...events, raw } as unknown as Call<Op>;
}
