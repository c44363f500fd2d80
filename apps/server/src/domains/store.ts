import { domainKeySpace } from '../kernel/addresses/link-key.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Database, Statement } from '../platform/postgres/postgres.ts';
import type { StopChange } from '../redirect/changes/stops/stop.ts';
import { writeDomainChange } from '../redirect/changes/stops/stop-writer.ts';
import type { Domain } from './domain.ts';
import * as statements from './statements.ts';

type DomainRow = {
  id: Uuid;
  account_id: Uuid;
  host: string;
  tag: string;
  status: Domain['status'];
  is_default: boolean;
  root_url: string | null;
  not_found_url: string | null;
  codes: number;
  created_at: Date;
  updated_at: Date;
};

export const findDomain = async (db: Database, host: string): Promise<Domain | null> =>
  (await read(db, statements.findByHost, [host]))[0] ?? null;

/** By host. */
export const listDomains = (db: Database, accountId: Uuid): Promise<readonly Domain[]> =>
  read(db, statements.listOfAccount, [accountId]);

/** A page of the domains of every account, by host. */
export const listAllDomains = (db: Database, after: string, limit: number): Promise<readonly Domain[]> =>
  read(db, statements.listAll, [after, limit]);

/** Locked until the transaction ends; null where there is none. */
export async function lockDomain(tx: Database, host: string): Promise<Domain | null> {
  await tx.query(statements.lockByHost, [host]);
  return findDomain(tx, host);
}

/** Tells redirects what the transaction has made of a domain. Changes are in one order, so it is its last statement. */
export async function publishDomain(tx: Database, host: string, now: Date): Promise<StopChange[]> {
  const { accountId, tag, status, rootUrl, notFoundUrl } = (await findDomain(tx, host))!;
  const stored = {
    account: accountId,
    space: domainKeySpace(tag),
    active: status === 'active',
    root: rootUrl,
    notFound: notFoundUrl,
  };
  return writeDomainChange(tx, host, stored, now);
}

async function read(db: Database, statement: Statement, values: readonly unknown[]): Promise<Domain[]> {
  const rows = await db.query<DomainRow>(statement, values);
  return rows.map(row => ({
    id: row.id,
    accountId: row.account_id,
    host: row.host,
    tag: row.tag,
    status: row.status,
    isDefault: row.is_default,
    rootUrl: row.root_url,
    notFoundUrl: row.not_found_url,
    codes: row.codes,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));
}
