import type pg from 'pg';

const name = String.raw`(?:"[^"]+"|[\w$]+)`;
const creation = /^create\s+(?:unique\s+)?index\s+concurrently\b/i;
const repeatable = new RegExp(
  String.raw`^create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(${name}(?:\.${name})?)\s+on\s`,
  'i',
);

/** Builds or drops an index beside readers and writers: it may wait for long, and nobody waits for it. */
export const isConcurrent = (statement: string): boolean =>
  /^(create\s+(unique\s+)?index|drop\s+index|reindex\b.*?)\s+concurrently\b/is.test(bare(statement));

const bare = (statement: string): string => statement.replace(/^(\s*--.*\n)+/, '').trimStart();

/** The index that a statement builds beside readers and writers, or null where it builds none. */
export function concurrentIndexOf(statement: string): string | null {
  if (!creation.test(bare(statement))) return null;
  const found = repeatable.exec(bare(statement))?.[1];
  if (!found)
    throw new Error(
      'write `create index concurrently if not exists NAME on …`, so that the statement can be run again.',
    );
  return found;
}

/** Somebody builds this index at the moment. */
export class IndexUnderWay extends Error {}

/**
 * A `create index concurrently` that was cut off leaves an index that is written and never read, and `if not exists` takes it
 * for a good one. It is dropped, and only it.
 */
export async function dropUnfinished(
  client: pg.Client,
  index: string,
  say: (line: string) => void,
): Promise<void> {
  const { rows } = await client.query<{ valid: boolean; builder: number | null }>(
    `select i.indisvalid as valid, p.pid as builder
       from pg_index i left join pg_stat_progress_create_index p
         on p.index_relid = i.indexrelid and p.pid <> pg_backend_pid()
      where i.indexrelid = to_regclass($1)`,
    [index],
  );
  const [found] = rows;
  if (!found || found.valid) return;
  if (found.builder !== null)
    throw new IndexUnderWay(`process ${found.builder} of PostgreSQL builds ${index} at the moment`);
  say(`The index ${index} was left unfinished by an earlier try. It is dropped and built again.`);
  await client.query(`drop index concurrently if exists ${index}`);
}
