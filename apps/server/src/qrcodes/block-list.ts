import { type Database, sql } from '../platform/postgres.ts';
import { type BlockedHost, destinationBlocked, hostAndParents } from './blocked-host.ts';

/**
 * Keeps the list as it is until the transaction ends. An edit does this before it locks anything else, as a create does:
 * in another order both could wait for each other by way of somebody who blocks a host.
 */
export async function holdBlockList(tx: Database): Promise<void> {
  await tx.query(hold);
}

/** Which of these are on the list. */
export async function findBlocked(db: Database, hosts: readonly string[]): Promise<readonly string[]> {
  const rows = await db.query<{ host: string }>(selectBlocked, [hosts]);
  return rows.map(row => row.host);
}

export async function refuseBlocked(tx: Database, destination: string): Promise<void> {
  const [blocked] = await findBlocked(tx, hostAndParents(destination));
  if (blocked !== undefined) throw destinationBlocked(blocked);
}

/** Waits for everybody who holds the list: when it resolves, whoever writes a destination sees the host. */
export function addHost(db: Database, host: string, reason: string | null, now: Date): Promise<void> {
  return db.transaction(async tx => {
    await tx.query(close);
    await tx.query(insertHost, [host, reason, now]);
  });
}

/** Whether it was there. */
export async function removeHost(db: Database, host: string): Promise<boolean> {
  return (await db.query(deleteHost, [host])).length > 0;
}

export async function listHosts(db: Database): Promise<readonly BlockedHost[]> {
  const rows = await db.query<{ host: string; reason: string; created_at: Date }>(selectHosts);
  return rows.map(({ host, reason, created_at: createdAt }) => ({ host, reason, createdAt }));
}

const hold = sql('hold-block-list', 'lock table blocked_hosts in row share mode');

/** Lets nobody hold the list until this is committed. Whoever only reads it, as a backup does, is not in the way. */
const close = sql('close-block-list', 'lock table blocked_hosts in exclusive mode');

const selectBlocked = sql(
  'select-blocked',
  'select host from blocked_hosts where host = any($1::text[]) order by host',
);

const insertHost = sql(
  'insert-blocked-host',
  `insert into blocked_hosts as kept (host, reason, created_at) values ($1, coalesce($2::text, ''), $3)
   on conflict (host) do update set reason = coalesce($2::text, kept.reason)`,
);

const deleteHost = sql('delete-blocked-host', 'delete from blocked_hosts where host = $1 returning host');

const selectHosts = sql(
  'select-blocked-hosts',
  'select host, reason, created_at from blocked_hosts order by host',
);
