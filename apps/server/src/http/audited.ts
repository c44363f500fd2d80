import type { Operation } from '@signpost/contract';
import type { FastifyRequest } from 'fastify';
import type { Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres/postgres.ts';

/** What a handler knows of its event and the request does not say. */
export type EventNotes = {
  /** Nothing changed, so there is no event. */
  readonly nothing?: boolean;
  /** Ids as callers see them. */
  readonly subjects?: readonly string[];
  readonly hosts?: readonly string[];
  /** In whose log it is, if not in that of the caller. */
  readonly accountId?: Uuid;
  /** About a person alone: it is in the log of each of their accounts. */
  readonly userId?: Uuid;
};

/** What is written of a call: never a name of a person or a code, and never a URL. */
export type AuditEvent = {
  readonly action: string;
  readonly actorKind: 'key' | 'user' | 'operator' | 'nobody';
  readonly actorId: Uuid | null;
  readonly requestId: string | null;
  /** Ids as callers see them. */
  readonly subjects: readonly string[];
  readonly detail: {
    readonly fields?: readonly string[];
    readonly hosts?: readonly string[];
    readonly count?: number;
  };
};

/** A call that has succeeded. */
export type AuditedCall = {
  readonly operation: Operation;
  readonly request: FastifyRequest;
  readonly response: unknown;
  readonly notes: EventNotes;
};

/** Writes the event of a call as the last statement of the transaction that makes its change. */
export type WriteEvent = (tx: Database, notes?: EventNotes) => Promise<void>;

export type AuditLog = {
  /** Writes the event of a call: in the transaction of the change, as its last statement. */
  record(on: Database, call: AuditedCall): Promise<void>;
  /** What `record` would write, for a statement that writes it with the change. Null: nothing. */
  toEvent(call: AuditedCall): AuditEvent | null;
};
