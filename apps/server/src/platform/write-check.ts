import { type Database, sql } from './postgres/postgres.ts';

/** Whether this database user may change a table. A redirect may have one that can only read. */
export type WriteCheck = () => Promise<boolean>;

const mayWrite = sql('may-write', `select has_table_privilege($1, 'insert, update, delete') as yes`);

/** Asks PostgreSQL once; rejects while it does not answer. */
export function createWriteCheck(db: Database, table: string): WriteCheck {
  let known: boolean | null = null;
  return async () => {
    known ??= (await db.query<{ yes: boolean }>(mayWrite, [table]))[0]!.yes;
    return known;
  };
}
