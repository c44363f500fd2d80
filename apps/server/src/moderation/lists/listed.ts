import { getHost } from '../../kernel/addresses/hosts.ts';
import { listedUrlHash } from '../../kernel/addresses/listed-url.ts';
import { AppError } from '../../kernel/errors.ts';
import { mapInTurns } from '../../kernel/running/cpu-queue.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';

/** Destinations that are on a list in force, each with the name of the list. */
export type Listed = ReadonlyMap<string, string>;

/** Looks up destinations before they are written. */
export type ListedFinder = {
  find(db: Database, urls: readonly string[]): Promise<Listed>;
  /** Those that are on a domain of an account: they would lead to another short link. */
  findOnDomains(db: Database, urls: readonly string[]): Promise<ReadonlySet<string>>;
};

/** How long a process remembers that there are no lists. An import waits for as long. */
export const noListsMs = 1000;

/** Where there are no lists, and no domains, lookups cost one query of each a second. */
export function createListedFinder(now: () => number = () => performance.now()): ListedFinder {
  let noListsUntilMs = Number.NEGATIVE_INFINITY;
  let noDomainsUntilMs = Number.NEGATIVE_INFINITY;
  return {
    async find(db, urls) {
      const startMs = now();
      if (urls.length === 0 || startMs < noListsUntilMs) return new Map();
      const found = await findListed(db, urls);
      if (found === 'no lists') noListsUntilMs = startMs + noListsMs;
      return found === 'no lists' ? new Map() : found;
    },

    async findOnDomains(db, urls) {
      const startMs = now();
      if (urls.length === 0 || startMs < noDomainsUntilMs) return new Set();
      const hosts = await mapInTurns(urls, url => getHost(new URL(url)));
      const rows = await db.query<{ host: string | null }>(selectDomains, [hosts]);
      if (rows.length === 0) noDomainsUntilMs = startMs + noListsMs;
      const domains = new Set(rows.map(({ host }) => host));
      return new Set(urls.filter((_, n) => domains.has(hosts[n]!)));
    },
  };
}

/** Matches the exact host or the exact URL; a subdomain of a listed host is a different host. */
export async function findListed(db: Database, urls: readonly string[]): Promise<Listed | 'no lists'> {
  const hosts = await mapInTurns(urls, url => getHost(new URL(url)));
  const hashes = await mapInTurns(urls, listedUrlHash);
  const rows =
    urls.length === 1
      ? await db.query<Row>(selectOne, [hosts[0], hashes[0]])
      : await db.query<Row>(selectMany, [hosts, hashes]);
  if (rows.length === 0) return 'no lists';
  const found = new Map<string, string>();
  for (const { n, list } of rows) if (list !== null && !found.has(urls[n]!)) found.set(urls[n]!, list);
  return found;
}

/** `list` is null if there are lists and none has the destination. */
type Row = { readonly n: number; readonly list: string | null };

export const destinationListed = (list: string, param = 'destination_url') =>
  new AppError(
    'destination_blocked',
    `This destination is on the blocklist ${list}. Choose another destination, or ask the operator if this is a mistake.`,
    { param },
  );

/**
 * The lists in force that have a host or a URL, given as SQL expressions. `offset 0` keeps the planner from joining the whole
 * tables, whatever it assumes about their size: each entry is looked up by the index.
 */
export const listsWith = (host: string, hash: string) =>
  `select distinct l.name
     from (select generation from listed_hosts where host = ${host}
           union all
           select generation from listed_urls where hash = ${hash}
           offset 0) entry
     join lists l on l.generation = entry.generation and (l.expires_at is null or l.expires_at > now())`;

/** Returns no row if there are no lists at all. */
const amongLists = (hits: string) =>
  `from (select from lists limit 1) as any_list left join lateral (${hits}) hit on true order by n, list`;

/** Returns no row if there are no domains at all. */
const selectDomains = sql(
  'select-domains-of-targets',
  `select d.host from (select from domains limit 1) as any_domain
     left join domains d on d.host = any($1::text[]) and d.status = 'active'`,
);

/** Separate from the statement for many: with arrays, PostgreSQL plans each call, which takes longer than the lookup. */
const selectOne = sql(
  'select-listed-one',
  `select 0 as n, hit.name as list ${amongLists(listsWith('$1::text', '$2::bytea'))}`,
);

const selectMany = sql(
  'select-listed-many',
  `select coalesce(hit.n, 0) as n, hit.name as list ${amongLists(
    `select wanted.n - 1 as n, listed.name
       from unnest($1::text[], $2::bytea[]) with ordinality as wanted (host, hash, n)
      cross join lateral (${listsWith('wanted.host', 'wanted.hash')}) listed`,
  )}`,
);
