import { listedUrlHash } from '../../kernel/addresses/listed-url.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import type { Entry } from './entry.ts';
import type { List } from './list.ts';

/** A version of a list. A new one is loaded beside the one in force, which it then replaces. */
export type Generation = number;

export async function startGeneration(db: Database, name: string): Promise<Generation> {
  const [row] = await db.query<{ id: Generation }>(insertGeneration, [name]);
  return row!.id;
}

/** Returns how many entries were new, by kind; null if the generation was dropped because nothing was loaded for an hour. */
export async function insertEntries(
  db: Database,
  generation: Generation,
  entries: readonly Entry[],
): Promise<{ readonly hosts: number; readonly urls: number } | null> {
  const hosts = entries.flatMap(entry => ('host' in entry ? [entry.host] : []));
  const hashes = entries.flatMap(entry => ('url' in entry ? [listedUrlHash(entry.url)] : []));
  const [row] = await db.query<{ live: number; hosts: number; urls: number }>(insertListed, [
    generation,
    hosts,
    hashes,
  ]);
  return row!.live === 0 ? null : { hosts: row!.hosts, urls: row!.urls };
}

/** Puts a generation in force and drops the previous one. Returns false if this one was dropped: see `insertEntries`. */
export function activateGeneration(db: Database, generation: Generation, list: List): Promise<boolean> {
  return db.transaction(async tx => {
    const [previous] = await tx.query<{ generation: Generation }>(lockList, [list.name]);
    const { name, format, importedAt, expiresAt, hosts, urls } = list;
    const values = [name, format, generation, importedAt, expiresAt, hosts, urls];
    if ((await tx.query(upsertList, values)).length === 0) return false;
    if (previous) await tx.query(markDropped, [previous.generation]);
    return true;
  });
}

/** Tells the planner how large the tables are before the first lookup. */
export async function analyze(db: Database): Promise<void> {
  await db.query(analyzeHosts);
  await db.query(analyzeUrls);
}

/** Returns whether there was such a list. */
export function deleteList(db: Database, name: string): Promise<boolean> {
  return db.transaction(async tx => {
    const [row] = await tx.query<{ generation: Generation }>(deleteNamed, [name]);
    if (row) await tx.query(markDropped, [row.generation]);
    return row !== undefined;
  });
}

export async function dropGeneration(db: Database, generation: Generation): Promise<void> {
  await db.query(markDropped, [generation]);
}

export async function findLists(db: Database): Promise<readonly List[]> {
  const rows = await db.query<ListRow>(selectLists);
  return rows.map(row => ({
    name: row.name,
    format: row.format,
    importedAt: row.imported_at,
    expiresAt: row.expires_at,
    hosts: row.hosts,
    urls: row.urls,
  }));
}

type ListRow = Omit<List, 'importedAt' | 'expiresAt'> & {
  readonly imported_at: Date;
  readonly expires_at: Date | null;
};

const rowsPerStep = 20_000;

/** Deletes the entries of replaced and removed lists, and of imports that were interrupted. */
export async function deleteDroppedGenerations(db: Database): Promise<void> {
  await db.query(dropStale);
  for (const { id } of await db.query<{ id: Generation }>(selectDropped)) {
    for (let last: string | undefined = ''; last !== undefined; )
      last = (await db.query<{ last: string }>(deleteHosts, [id, last, rowsPerStep]))[0]?.last;
    for (let last: Buffer | undefined = Buffer.alloc(0); last !== undefined; )
      last = (await db.query<{ last: Buffer }>(deleteUrls, [id, last, rowsPerStep]))[0]?.last;
    await db.query(deleteGeneration, [id]);
  }
}

const insertGeneration = sql(
  'insert-list-generation',
  'insert into list_generations (list, touched_at) values ($1, now()) returning id',
);

const insertListed = sql(
  'insert-listed',
  `with live as (
     update list_generations set touched_at = now() where id = $1 and dropped_at is null returning id
   ), hosts as (
     insert into listed_hosts (host, generation) select distinct unnest($2::text[]), id from live order by 1
     on conflict do nothing returning 1
   ), urls as (
     insert into listed_urls (hash, generation) select distinct unnest($3::bytea[]), id from live order by 1
     on conflict do nothing returning 1
   )
   select (select count(*) from live) as live, (select count(*) from hosts) as hosts, (select count(*) from urls) as urls`,
);

const lockList = sql('lock-list', 'select generation from lists where name = $1 for update');

const upsertList = sql(
  'upsert-list',
  `with live as (
     update list_generations set touched_at = now() where id = $3 and dropped_at is null returning id
   )
   insert into lists (name, format, generation, imported_at, expires_at, hosts, urls)
   select $1, $2, id, $4, $5, $6, $7 from live
   on conflict (name) do update
      set format = excluded.format, generation = excluded.generation, imported_at = excluded.imported_at,
          expires_at = excluded.expires_at, hosts = excluded.hosts, urls = excluded.urls
   returning name`,
);

const deleteNamed = sql('delete-list', 'delete from lists where name = $1 returning generation');

const markDropped = sql(
  'drop-list-generation',
  'update list_generations set dropped_at = now() where id = $1',
);

const dropStale = sql(
  'drop-stale-list-generations',
  `update list_generations g set dropped_at = now()
    where dropped_at is null and touched_at < now() - interval '1 hour'
      and not exists (select from lists l where l.generation = g.id)`,
);

const selectDropped = sql(
  'select-dropped-list-generations',
  'select id from list_generations where dropped_at is not null order by id',
);

const deleteGeneration = sql('delete-list-generation', 'delete from list_generations where id = $1');

/** Ordered by the key, so that each batch starts where the last one ended. */
const deleteHosts = sql(
  'delete-listed-hosts',
  `with batch as (
     select host from listed_hosts where host > $2::text and generation = $1 order by host limit $3
   ), deleted as (
     delete from listed_hosts t using batch where t.host = batch.host and t.generation = $1
   )
   select host as last from batch order by host desc limit 1`,
);

const deleteUrls = sql(
  'delete-listed-urls',
  `with batch as (
     select hash from listed_urls where hash > $2::bytea and generation = $1 order by hash limit $3
   ), deleted as (
     delete from listed_urls t using batch where t.hash = batch.hash and t.generation = $1
   )
   select hash as last from batch order by hash desc limit 1`,
);

const analyzeHosts = sql('analyze-listed-hosts', 'analyze listed_hosts');
const analyzeUrls = sql('analyze-listed-urls', 'analyze listed_urls');

const selectLists = sql(
  'select-lists',
  'select name, format, imported_at, expires_at, hosts, urls from lists order by name',
);
