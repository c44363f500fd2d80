import type { Mode } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';
import { type Page, type Paged, toOffset } from '../kernel/page.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import * as statements from './statements.ts';
import type { Owner } from './store.ts';
import type { AttemptError, Delivery, EventKind, WaitReason, Webhook } from './webhook.ts';

/** Those of the messages that are in PostgreSQL: pending or failed. */
export async function findMessages(
  db: Database,
  { accountId, mode }: Owner,
  ids: readonly Uuid[],
): Promise<Map<Uuid, Delivery>> {
  const rows = await db.query<MessageRow>(statements.findMessages, [ids, accountId, mode]);
  return new Map(rows.map(row => [row.id, toDelivery(row)]));
}

export async function listMessages(
  db: Database,
  endpointId: Uuid,
  status: 'pending' | 'failed',
  page: Page,
): Promise<Paged<Delivery>> {
  const range = [endpointId, status, toOffset(page), page.limit];
  const rows = await db.query<MessageRow>(statements.listMessages, range);
  const [count] = await db.query<{ count: number }>(statements.countMessages, [endpointId, status]);
  return { items: rows.map(toDelivery), page, total: count?.count ?? 0 };
}

/** Begins a new round of attempts for a message, whether PostgreSQL has it or not. */
export async function replayMessage(db: Database, delivery: Delivery, now: Date): Promise<Delivery> {
  const [row] = await db.query<MessageRow>(statements.replayMessage, [
    delivery.id,
    delivery.endpointId,
    delivery.accountId,
    delivery.mode,
    delivery.qrCodeId,
    delivery.body,
    delivery.createdAt,
    delivery.attempts,
    now,
    delivery.lastAt,
    delivery.responseStatus,
    delivery.error,
    delivery.event,
  ]);
  return toDelivery(row!);
}

const [replayBatch, maxBatches] = [5_000, 200];

/** Replays failed messages of the endpoint's events, and returns how many. In batches, so that no lock is held for long. */
export async function replayFailed(
  db: Database,
  { id, events }: Pick<Webhook, 'id' | 'events'>,
  since: Date,
  now: Date,
): Promise<number> {
  let replayed = 0;
  for (let batch = 0; batch < maxBatches; batch++) {
    const rows = await db.query(statements.replayFailed, [id, since, now, replayBatch, events]);
    replayed += rows.length;
    if (rows.length < replayBatch) break;
  }
  return replayed;
}

export type MessageRow = {
  id: Uuid;
  endpoint_id: Uuid;
  account_id: Uuid;
  mode: Mode;
  qr_code_id: Uuid | null;
  event: EventKind;
  body: string;
  created_at: Date;
  status: 'pending' | 'failed';
  tries: number;
  attempts: number;
  next_at: Date | null;
  last_at: Date | null;
  response_status: number | null;
  error: AttemptError | null;
  trace: string | null;
  waiting_for: WaitReason | null;
};

export const toDelivery = (row: MessageRow): Delivery => ({
  id: row.id,
  endpointId: row.endpoint_id,
  accountId: row.account_id,
  mode: row.mode,
  qrCodeId: row.qr_code_id,
  event: row.event,
  body: row.body,
  createdAt: row.created_at,
  status: row.status,
  attempts: row.attempts,
  responseStatus: row.response_status,
  error: row.error,
  lastAt: row.last_at,
  nextAt: row.next_at,
  waitingFor: row.waiting_for,
  trace: row.trace ?? undefined,
});
