import { parseHost } from '../kernel/addresses/hosts.ts';
import { domainKeySpace, getKeySpace, type LinkName } from '../kernel/addresses/link-key.ts';
import type { Caller } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';

/** Where the short code of a new code is unique. */
export type Place = Pick<LinkName, 'keySpace' | 'domain'>;

type Wanted = { readonly domain?: string | null | undefined };

/** Finds the domain that each new code asks for, or says why it cannot have it. Most ask for none, which costs no query. */
export async function findPlaces(
  db: Database,
  caller: Caller,
  wanted: readonly Wanted[],
): Promise<(Place | AppError)[]> {
  const service: Place = { keySpace: getKeySpace(caller), domain: null };
  const hosts = new Set(wanted.flatMap(({ domain }) => (domain ? [normalizeHost(domain)] : [])));
  const rows =
    hosts.size === 0 || caller.mode === 'test'
      ? []
      : await db.query<{ host: string; tag: string }>(activeOfAccount, [caller.accountId, [...hosts]]);
  const tags = new Map(rows.map(({ host, tag }) => [host, tag]));
  return wanted.map(({ domain }) => {
    if (!domain) return service;
    if (caller.mode === 'test')
      return refuse('Test codes are on the host of the service. Leave domain out, or use a live key.');
    const host = normalizeHost(domain);
    const tag = tags.get(host);
    return tag === undefined
      ? refuse(
          `${domain} is not an active domain of your account. GET /v1/domains lists them; leave domain out for the host of the service.`,
        )
      : { keySpace: domainKeySpace(tag), domain: host };
  });
}

/**
 * Keeps domains with the account until the transaction ends. Refuses where one was released meanwhile. Runs in the transaction
 * that creates codes on them, after the locks of every insert.
 */
export async function lockDomains(
  tx: Database,
  accountId: Uuid,
  places: readonly Pick<Place, 'domain'>[],
): Promise<void> {
  const hosts = [...new Set(places.flatMap(({ domain }) => domain ?? []))];
  if (hosts.length === 0) return;
  const rows = await tx.query(lockActive, [accountId, hosts]);
  if (rows.length < hosts.length)
    throw refuse('The domain was released a moment ago. Leave domain out, or choose another.');
}

/** As domains have it. What is no host stays as it is: no domain has it. */
export const normalizeHost = (text: string): string => parseHost(text) ?? text;

const refuse = (message: string) => new AppError('invalid_request', message, { param: 'domain' });

const activeOfAccount = sql(
  'active-domains-of-account',
  `select host, tag from domains where account_id = $1 and host = any($2::text[]) and status = 'active'`,
);

const lockActive = sql(
  'lock-active-domains',
  `select from domains where account_id = $1 and host = any($2::text[]) and status = 'active' order by host for share`,
);
