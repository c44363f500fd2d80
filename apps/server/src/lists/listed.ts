import { AppError } from '../kernel/errors.ts';
import { hostOf } from '../kernel/hosts.ts';
import { listedUrlHash } from '../kernel/listed-url.ts';
import { type Database, sql } from '../platform/postgres.ts';

/** Destinations that are on a list in force, each with the name of the list. */
export type Listed = ReadonlyMap<string, string>;

/** Looks destinations up for those who write them. */
export type ListedFinder = { find(db: Database, urls: readonly string[]): Promise<Listed> };

/** How long a process goes by what it has found out: that there is no list at all. An import waits for as long. */
export const noListsMs = 1000;

/** Where there are no lists, a look-up costs nothing but one question a second. */
export function createListedFinder(now: () => number = () => performance.now()): ListedFinder {
  let noneUntil = Number.NEGATIVE_INFINITY;
  return {
    async find(db, urls) {
      const asked = now();
      if (urls.length === 0 || asked < noneUntil) return new Map();
      const found = await findListed(db, urls);
      if (found === 'no lists') noneUntil = asked + noListsMs;
      return found === 'no lists' ? new Map() : found;
    },
  };
}

/** By the exact host or the exact URL; a subdomain of a host that is listed is another host. */
export async function findListed(db: Database, urls: readonly string[]): Promise<Listed | 'no lists'> {
  const hosts = urls.map(url => hostOf(new URL(url)));
  const hashes = urls.map(listedUrlHash);
  const rows =
    urls.length === 1
      ? await db.query<Row>(selectOne, [hosts[0], hashes[0]])
      : await db.query<Row>(selectMany, [hosts, hashes]);
  if (rows.length === 0) return 'no lists';
  const found = new Map<string, string>();
  for (const { n, list } of rows) if (list !== null && !found.has(urls[n]!)) found.set(urls[n]!, list);
  return found;
}

/** The list is null where there are lists, and none has it. */
type Row = { readonly n: number; readonly list: string | null };

export const destinationListed = (list: string) =>
  new AppError(
    'destination_blocked',
    `The destination is listed by ${list}, so no code may lead there. Choose another destination, or ask the operator of the service if this is a mistake.`,
    { param: 'destination_url' },
  );

/**
 * The lists in force that have a host or a URL, by the names of its columns. Each is looked up by itself, whatever the
 * planner thinks of the size of the tables: `offset 0` keeps it from joining them whole.
 */
export const listsWith = (host: string, hash: string) =>
  `select distinct l.name
     from (select generation from listed_hosts where host = ${host}
           union all
           select generation from listed_urls where hash = ${hash}
           offset 0) entry
     join lists l on l.generation = entry.generation and (l.expires_at is null or l.expires_at > now())`;

/** No row: there are no lists at all. */
const amongLists = (hits: string) =>
  `from (select from lists limit 1) as there_are_lists left join lateral (${hits}) hit on true order by n, list`;

/** Apart from that of many: with arrays of any length PostgreSQL makes a plan for each call, which takes longer than the look-up. */
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
