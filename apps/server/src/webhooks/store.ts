import { type Caller, type Mode, modes } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import * as statements from './statements.ts';
import type { DisabledReason, Endpoint, EndpointWithRate, EventKind } from './webhook.ts';

/** Owner of webhooks: an account in one mode. */
export type Owner = Pick<Caller, 'accountId' | 'mode'>;

/** Throws where the caller is no longer allowed to. Runs under the lock. */
type CheckCaller = (tx: Database) => Promise<void>;

/** With the person who creates it in the dashboard. */
type NewEndpoint = Endpoint & { readonly createdBy?: Uuid | null };

/** Null, or the number of endpoints where the limit is reached. */
export function insertEndpoint(
  db: Database,
  endpoint: NewEndpoint,
  limit: number,
  checkCaller: CheckCaller = async () => {},
): Promise<number | null> {
  const { accountId, mode } = endpoint;
  return db.transaction(async tx => {
    await tx.query(statements.lockOwner, [accountId, mode]);
    await checkCaller(tx);
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
      endpoint.includeCodeDetails,
      endpoint.createdBy ?? null,
      endpoint.qrIds,
      endpoint.tags,
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

/** Reads an endpoint under a lock and writes what `change` makes of it. */
export function updateEndpoint(
  db: Database,
  { accountId, mode }: Owner,
  id: Uuid,
  change: (endpoint: Endpoint) => Endpoint,
  checkCaller: CheckCaller = async () => {},
): Promise<Endpoint | null> {
  return db.transaction(async tx => {
    const [row] = await tx.query<EndpointRow>(statements.lockEndpoint, [accountId, mode, id]);
    if (!row) return null;
    await checkCaller(tx);
    const changed = change(toEndpoint(row));
    await tx.query(statements.updateEndpoint, [
      id,
      changed.url,
      changed.description,
      changed.enabled,
      changed.disabledReason,
      changed.failingSince,
      changed.secret,
      changed.oldSecret,
      changed.oldSecretUntil,
      changed.updatedAt,
      changed.provenAt,
      changed.events,
      changed.includeCodeDetails,
      changed.qrIds,
      changed.tags,
    ]);
    return changed;
  });
}

/** Whether the owner has all of these codes, which are distinct. */
export async function ownsCodes(
  db: Database,
  { accountId, mode }: Owner,
  ids: readonly Uuid[],
): Promise<boolean> {
  const [row] = await db.query<{ count: number }>(statements.countOwnCodes, [accountId, mode, ids]);
  return row!.count === ids.length;
}

export async function deleteEndpoint(
  db: Database,
  { accountId, mode }: Owner,
  id: Uuid,
  now: Date,
): Promise<boolean> {
  return (await db.query(statements.deleteEndpoint, [accountId, mode, id, now])).length > 0;
}

/** In both modes. Returns how many there were. */
export async function deleteAccountEndpoints(db: Database, accountId: Uuid, now: Date): Promise<number> {
  return (await db.query(statements.deleteAccountEndpoints, [accountId, now])).length;
}

/** In both modes, also one that is being created concurrently. Returns how many there were. */
export async function disableAccountEndpoints(
  tx: Database,
  accountId: Uuid,
  now: Date,
  createdBy: Uuid | null = null,
): Promise<number> {
  for (const mode of modes) await tx.query(statements.lockOwner, [accountId, mode]);
  return (await tx.query(statements.disableAccountEndpoints, [accountId, now, createdBy])).length;
}

export async function loadEndpoints(
  db: Database,
  ids: readonly Uuid[],
): Promise<Map<Uuid, EndpointWithRate>> {
  const rows = await db.query<EndpointRow & { webhook_host_rate: number | null }>(statements.loadEndpoints, [
    ids,
  ]);
  return new Map(rows.map(row => [row.id, { ...toEndpoint(row), hostRate: row.webhook_host_rate }]));
}

type EndpointRow = {
  id: Uuid;
  account_id: Uuid;
  mode: Mode;
  url: string;
  description: string;
  events: EventKind[];
  include_code_details: boolean;
  qr_ids: Uuid[] | null;
  tags: string[] | null;
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
  includeCodeDetails: row.include_code_details,
  qrIds: row.qr_ids,
  tags: row.tags,
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
