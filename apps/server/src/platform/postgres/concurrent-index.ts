import type pg from 'pg';
import type { Print } from '../../kernel/print.ts';

const name = String.raw`(?:"[^"]+"|[\w$]+)`;
const creation = /^create\s+(?:unique\s+)?index\s+concurrently\b/i;
const repeatable = new RegExp(
  String.raw`^create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(${name}(?:\.${name})?)\s+on\s`,
  'i',
);

/** Whether a statement builds or drops an index concurrently: it may wait long, and blocks neither readers nor writers. */
export const isConcurrentIndexStatement = (statement: string): boolean =>
  /^(create\s+(unique\s+)?index|drop\s+index|reindex\b.*?)\s+concurrently\b/is.test(
    withoutComments(statement),
  );

const withoutComments = (statement: string): string => statement.replace(/^(\s*--.*\n)+/, '').trimStart();

export function parseConcurrentIndex(statement: string): string | null {
  if (!creation.test(withoutComments(statement))) return null;
  const found = repeatable.exec(withoutComments(statement))?.[1];
  if (!found)
    throw new Error(
      'write `create index concurrently if not exists NAME on …`, so that the statement can be run again.',
    );
  return found;
}

/** Another process is building this index. */
export class IndexBuildInProgress extends Error {}

/**
 * An interrupted `create index concurrently` leaves an invalid index: it is written but never read, and `if not exists` takes
 * it for a good one. Only such an index is dropped.
 */
export async function dropInvalidIndex(client: pg.Client, index: string, print: Print): Promise<void> {
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
    throw new IndexBuildInProgress(`PostgreSQL process ${found.builder} is building ${index}`);
  print(`The index ${index} was left unfinished by an earlier attempt. It is dropped and built again.`);
  await client.query(`drop index concurrently if exists ${index}`);
}
