import type { Uuid } from '../kernel/ids.ts';
import { type Page, type Paged, toOffset } from '../kernel/page.ts';
import { type Database, unprepared } from '../platform/postgres/postgres.ts';
import * as statements from './statements.ts';
import type { Owner } from './store.ts';
import type { AttemptError, Delivery, DeliveryStatus, EventKind, LoggedAttempt, Message } from './webhook.ts';

/** An attempt as the log keeps it for thirty days: with its message, and the status of the message after it. */
export type Attempt = {
  readonly message: Pick<Message, 'id' | 'endpointId' | 'qrCodeId' | 'event' | 'body' | 'createdAt'>;
  /** Which attempt of the message, from 1. */
  readonly number: number;
  readonly result: LoggedAttempt;
  readonly status: DeliveryStatus;
};

/** An attempt that is there already was written by a transaction whose commit was not answered. */
export async function addAttempts(tx: Database, attempts: readonly Attempt[]): Promise<void> {
  await tx.query(statements.addAttempts, [
    attempts.map(({ result }) => result.at),
    attempts.map(({ message }) => message.createdAt),
    attempts.map(({ message }) => message.id),
    attempts.map(({ message }) => message.endpointId),
    attempts.map(({ message }) => message.qrCodeId),
    attempts.map(({ number }) => number),
    attempts.map(({ result }) => result.durationMs),
    attempts.map(({ result }) => result.responseStatus),
    attempts.map(({ message }) => message.event),
    attempts.map(({ status }) => status),
    attempts.map(({ result }) => result.error),
    attempts.map(({ message }) => message.body),
    attempts.map(({ result }) => result.response),
  ]);
}

type AttemptRow = {
  at: Date;
  created_at: Date;
  message_id: Uuid;
  endpoint_id: Uuid;
  qr_code_id: Uuid | null;
  attempt: number;
  duration_ms: number;
  response_status: number | null;
  event: EventKind;
  status: DeliveryStatus;
  error: AttemptError | null;
  body: string;
  response: string;
};

/** Deliveries of an endpoint according to the log, newest event first. */
export async function listLogged(
  db: Database,
  { accountId, mode }: Owner,
  endpointId: Uuid,
  status: DeliveryStatus | null,
  page: Page,
): Promise<Paged<Delivery>> {
  // PostgreSQL plans it for this endpoint: what is right for a few attempts is too slow for a million.
  const owned = [endpointId, accountId, mode, status];
  const rows = await db.query<AttemptRow & { attempts: number }>(unprepared(statements.listLogged), [
    ...owned,
    toOffset(page),
    page.limit,
  ]);
  const [count] = await db.query<{ total: number }>(unprepared(statements.countLogged), owned);
  const items = rows.map(row => toDelivery(toAttempt(row), row.attempts, { accountId, mode }));
  return { items, page, total: count?.total ?? 0 };
}

/** All attempts of a message, oldest first. */
export async function findAttempts(db: Database, { accountId, mode }: Owner, id: Uuid): Promise<Attempt[]> {
  return (await db.query<AttemptRow>(statements.findAttempts, [id, accountId, mode])).map(toAttempt);
}

/** The delivery after its last attempt. */
export function assembleDelivery(attempts: readonly Attempt[], owner: Owner): Delivery | null {
  const last = attempts.at(-1);
  return last ? toDelivery(last, attempts.length, owner) : null;
}

const toAttempt = (row: AttemptRow): Attempt => ({
  message: {
    id: row.message_id,
    endpointId: row.endpoint_id,
    qrCodeId: row.qr_code_id,
    event: row.event,
    body: row.body,
    createdAt: row.created_at,
  },
  number: row.attempt,
  result: {
    at: row.at,
    durationMs: row.duration_ms,
    responseStatus: row.response_status,
    error: row.error,
    response: row.response,
  },
  status: row.status,
});

const toDelivery = (
  { message, result, status }: Attempt,
  attempts: number,
  { accountId, mode }: Owner,
): Delivery => ({
  ...message,
  accountId,
  mode,
  status,
  attempts,
  responseStatus: result.responseStatus,
  error: result.error,
  lastAt: result.at,
  nextAt: null,
  waitingFor: null,
});
