import { listedUrlHash } from '../kernel/listed-url.ts';
import { type Database, sql } from '../platform/postgres.ts';
import type { Entry } from './entry.ts';
import type { List } from './list.ts';

/** A list that is being loaded beside the one in force. */
export type Generation = number;

export async function startGeneration(db: Database, name: string): Promise<Generation> {
  const [row] = await db.query<{ id: Generation }>(insertGeneration, [name]);
  return row!.id;
}

/** How many were new, by kind; null where the generation was given up, since nothing had been loaded for so long. */
export async function load(
  db: Database,
  generation: Generation,
  entries: readonly Entry[],
): Promise<{ readonly hosts: number; readonly urls: number } | null> {
  const hosts = entries.flatMap(entry => ('host' in entry ? [entry.host] : []));
  const hashes = entries.flatMap(entry => ('url' in entry ? [listedUrlHash(entry.url)] : []));
  const [row] = await db.query<{ kept: number; hosts: number; urls: number }>(insertEntries, [
    generation,
    hosts,
    hashes,
  ]);
  return row!.kept === 0 ? null : { hosts: row!.hosts, urls: row!.urls };
}

/** Puts a generation in force, in the place of the one that was. Whether it could: see `load`. */
export function switchTo(db: Database, generation: Generation, list: List): Promise<boolean> {
  return db.transaction(async tx => {
    const [before] = await tx.query<{ generation: Generation }>(lockList, [list.name]);
    const { name, format, importedAt, expiresAt, hosts, urls } = list;
    const values = [name, format, generation, importedAt, expiresAt, hosts, urls];
    if ((await tx.query(upsertList, values)).length === 0) return false;
    if (before) await tx.query(dropGeneration, [before.generation]);
    return true;
  });
}

/** So that the planner knows how much there is before anybody looks it up. */
export async function analyze(db: Database): Promise<void> {
  await db.query(analyzeHosts);
  await db.query(analyzeUrls);
}

/** Whether there was such a list. */
export function takeOut(db: Database, name: string): Promise<boolean> {
  return db.transaction(async tx => {
    const [row] = await tx.query<{ generation: Generation }>(deleteList, [name]);
    if (row) await tx.query(dropGeneration, [row.generation]);
    return row !== undefined;
  });
}

export async function giveUp(db: Database, generation: Generation): Promise<void> {
  await db.query(dropGeneration, [generation]);
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

const rowsAtATime = 20_000;

/** Removes what is no longer in force, and what imports have left behind that did not end. */
export async function removeDropped(db: Database): Promise<void> {
  await db.query(dropStale);
  for (const { id } of await db.query<{ id: Generation }>(selectDropped)) {
    for (let last: string | undefined = ''; last !== undefined; )
      last = (await db.query<{ last: string }>(deleteHosts, [id, last, rowsAtATime]))[0]?.last;
    for (let last: Buffer | undefined = Buffer.alloc(0); last !== undefined; )
      last = (await db.query<{ last: Buffer }>(deleteUrls, [id, last, rowsAtATime]))[0]?.last;
    await db.query(deleteGeneration, [id]);
  }
}

const insertGeneration = sql(
  'insert-list-generation',
  'insert into list_generations (list, touched_at) values ($1, now()) returning id',
);

const insertEntries = sql(
  'insert-listed',
  `with kept as (
     update list_generations set touched_at = now() where id = $1 and dropped_at is null returning id
   ), hosts as (
     insert into listed_hosts (host, generation) select distinct unnest($2::text[]), id from kept order by 1
     on conflict do nothing returning 1
   ), urls as (
     insert into listed_urls (hash, generation) select distinct unnest($3::bytea[]), id from kept order by 1
     on conflict do nothing returning 1
   )
   select (select count(*) from kept) as kept, (select count(*) from hosts) as hosts, (select count(*) from urls) as urls`,
);

const lockList = sql('lock-list', 'select generation from lists where name = $1 for update');

const upsertList = sql(
  'upsert-list',
  `with kept as (
     update list_generations set touched_at = now() where id = $3 and dropped_at is null returning id
   )
   insert into lists (name, format, generation, imported_at, expires_at, hosts, urls)
   select $1, $2, id, $4, $5, $6, $7 from kept
   on conflict (name) do update
      set format = excluded.format, generation = excluded.generation, imported_at = excluded.imported_at,
          expires_at = excluded.expires_at, hosts = excluded.hosts, urls = excluded.urls
   returning name`,
);

const deleteList = sql('delete-list', 'delete from lists where name = $1 returning generation');

const dropGeneration = sql(
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

/** In the order of the key, so that every batch begins where the last one ended. */
const deleteSome = (table: string, key: string, type: string) => `with batch as (
     select ${key} from ${table} where ${key} > $2::${type} and generation = $1 order by ${key} limit $3
   ), gone as (
     delete from ${table} t using batch where t.${key} = batch.${key} and t.generation = $1
   )
   select ${key} as last from batch order by ${key} desc limit 1`;

const deleteHosts = sql('delete-listed-hosts', deleteSome('listed_hosts', 'host', 'text'));
const deleteUrls = sql('delete-listed-urls', deleteSome('listed_urls', 'hash', 'bytea'));

const analyzeHosts = sql('analyze-listed-hosts', 'analyze listed_hosts');
const analyzeUrls = sql('analyze-listed-urls', 'analyze listed_urls');

const selectLists = sql(
  'select-lists',
  'select name, format, imported_at, expires_at, hosts, urls from lists order by name',
);
