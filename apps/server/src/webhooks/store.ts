import { type Caller, type Mode, modes } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';
import { offsetOf, type Page, type Paged } from '../kernel/page.ts';
import type { Database } from '../platform/postgres.ts';
import * as statements from './statements.ts';
import type {
  AttemptError,
  Delivery,
  DisabledReason,
  Endpoint,
  EventKind,
  Target,
  WaitReason,
  Webhook,
} from './webhook.ts';

/** Whose webhooks: an account in one mode. */
export type Owner = Pick<Caller, 'accountId' | 'mode'>;

/** Throws where who asked may not do it any more; asked under the lock. */
type MayStill = (tx: Database) => Promise<void>;

/** The number there already is, where there is no room for one more; else null. */
export function insertEndpoint(
  db: Database,
  endpoint: Endpoint,
  limit: number,
  mayStill: MayStill = async () => {},
): Promise<number | null> {
  const { accountId, mode } = endpoint;
  return db.transaction(async tx => {
    await tx.query(statements.lockOwner, [accountId, mode]);
    await mayStill(tx);
    const [row] = await tx.query<{ count: number }>(statements.countEndpoints, [accountId, mode]);
    if (row!.count >= limit) return row!.count;
    await tx.query(statements.insertEndpoint, [
      endpoint.id,
      accountId,
      mode,
      endpoint.url,
      endpoint.description,
      endpoint.enabled,
      endpoint.disabledReason,
      endpoint.secret,
      endpoint.createdAt,
      endpoint.events,
    ]);
    return null;
  });
}

export async function listEndpoints(db: Database, { accountId, mode }: Owner): Promise<Endpoint[]> {
  return (await db.query<EndpointRow>(statements.listEndpoints, [accountId, mode])).map(toEndpoint);
}

export async function findEndpoint(
  db: Database,
  { accountId, mode }: Owner,
  id: Uuid,
): Promise<Endpoint | null> {
  const [row] = await db.query<EndpointRow>(statements.findEndpoint, [accountId, mode, id]);
  return row ? toEndpoint(row) : null;
}

/** Reads an endpoint, lets `decide` say what it becomes, and writes that. */
export function updateEndpoint(
  db: Database,
  { accountId, mode }: Owner,
  id: Uuid,
  decide: (endpoint: Endpoint) => Endpoint,
  mayStill: MayStill = async () => {},
): Promise<Endpoint | null> {
  return db.transaction(async tx => {
    const [row] = await tx.query<EndpointRow>(statements.lockEndpoint, [accountId, mode, id]);
    if (!row) return null;
    await mayStill(tx);
    const after = decide(toEndpoint(row));
    await tx.query(statements.updateEndpoint, [
      id,
      after.url,
      after.description,
      after.enabled,
      after.disabledReason,
      after.failingSince,
      after.secret,
      after.oldSecret,
      after.oldSecretUntil,
      after.updatedAt,
      after.provenAt,
      after.events,
    ]);
    return after;
  });
}

export async function deleteEndpoint(
  db: Database,
  { accountId, mode }: Owner,
  id: Uuid,
  now: Date,
): Promise<boolean> {
  return (await db.query(statements.deleteEndpoint, [accountId, mode, id, now])).length > 0;
}

/** Of both modes. How many there were. */
export async function deleteEndpointsOf(db: Database, accountId: Uuid, now: Date): Promise<number> {
  return (await db.query(statements.deleteEndpointsOf, [accountId, now])).length;
}

/** Of both modes, also one that is being made at this moment. How many there were. */
export async function disableEndpointsOf(tx: Database, accountId: Uuid, now: Date): Promise<number> {
  for (const mode of modes) await tx.query(statements.lockOwner, [accountId, mode]);
  return (await tx.query(statements.disableEndpointsOf, [accountId, now])).length;
}

export async function loadEndpoints(db: Database, ids: readonly Uuid[]): Promise<Map<Uuid, Target>> {
  const rows = await db.query<EndpointRow & { webhook_host_rate: number | null }>(statements.loadEndpoints, [
    ids,
  ]);
  return new Map(rows.map(row => [row.id, { ...toEndpoint(row), hostRate: row.webhook_host_rate }]));
}

/** Of these messages those that PostgreSQL holds. */
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
  const range = [endpointId, status, offsetOf(page), page.limit];
  const rows = await db.query<MessageRow>(statements.listMessages, range);
  const [count] = await db.query<{ count: number }>(statements.countMessages, [endpointId, status]);
  return { items: rows.map(toDelivery), page, total: count?.count ?? 0 };
}

/** Begins a new round of tries for a message, whether PostgreSQL holds it or not. */
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

const [replayAtOnce, mostReplays] = [5_000, 200];

/** How many begin a new round, of what the endpoint takes. Some at a time, so that no lock is held for long. */
export async function replayFailed(
  db: Database,
  { id, events }: Pick<Webhook, 'id' | 'events'>,
  since: Date,
  now: Date,
): Promise<number> {
  let replayed = 0;
  for (let round = 0; round < mostReplays; round++) {
    const rows = await db.query(statements.replayFailed, [id, since, now, replayAtOnce, events]);
    replayed += rows.length;
    if (rows.length < replayAtOnce) break;
  }
  return replayed;
}

type EndpointRow = {
  id: Uuid;
  account_id: Uuid;
  mode: Mode;
  url: string;
  description: string;
  events: EventKind[];
  enabled: boolean;
  disabled_reason: DisabledReason | null;
  secret: Buffer;
  old_secret: Buffer | null;
  old_secret_until: Date | null;
  failing_since: Date | null;
  proven_at: Date | null;
  created_at: Date;
  updated_at: Date;
};

const toEndpoint = (row: EndpointRow): Endpoint => ({
  id: row.id,
  accountId: row.account_id,
  mode: row.mode,
  url: row.url,
  description: row.description,
  events: row.events,
  enabled: row.enabled,
  disabledReason: row.disabled_reason,
  secret: row.secret,
  oldSecret: row.old_secret,
  oldSecretUntil: row.old_secret_until,
  failingSince: row.failing_since,
  provenAt: row.proven_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

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
