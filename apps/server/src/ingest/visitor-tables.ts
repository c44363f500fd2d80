import { type Database, sql } from '../platform/postgres/postgres.ts';
import { windowEnd } from '../platform/postgres/window-end.ts';
import { type Group, listScans } from './ingest.ts';

/** The windows that have tables for their visitors. */
export type VisitorTables = {
  /** Creates the tables that a group needs, before the transaction that counts it. */
  prepare(group: Group): Promise<void>;
  /** Clears the cache: another process may have dropped a table. */
  forget(): void;
};

export function createVisitorTables(db: Database): VisitorTables {
  const known = new Set<string>();
  return {
    async prepare(group) {
      for (const { window } of listScans(group)) {
        if (known.has(window) || !isWindowName(window)) continue;
        for (const parent of parents) await db.query(createTable(parent, window));
        known.add(window);
      }
    },
    forget: () => known.clear(),
  };
}

/** `2026-11`, or `2026-11-15`. */
export const isWindowName = (window: unknown): window is string =>
  typeof window === 'string' && /^20\d\d-(0[1-9]|1[0-2])(-[0-3]\d)?$/.test(window);

/** Visitors of a code, and visitors of an account with their numbers: one table per window each. */
const parents = ['visitors', 'account_visitors'] as const;

const toTableName = (parent: string, window: string) => `${parent}_${window.replaceAll('-', '_')}`;

const createTable = (parent: string, window: string) =>
  sql(
    `create-${toTableName(parent, window)}`,
    `create table if not exists ${toTableName(parent, window)} partition of ${parent} for values in ('${window}')`,
  );

/**
 * Drops the visitors of windows that ended so long ago that no scan of them can still be in flight. A scan that arrives even
 * later is counted as the first of its visitor.
 */
export async function dropOldVisitorTables(db: Database, keptDays: number): Promise<string[]> {
  const tables = await db.query<{ name: string }>(oldTables, [keptDays]);
  for (const { name } of tables) await db.query(sql(`drop-${name}`, `drop table if exists ${name}`));
  return tables.map(({ name }) => name);
}

/** The tables of windows that ended at least this many days ago by PostgreSQL's clock. */
const oldTables = sql(
  'old-window-tables',
  `select name from (
     select c.relname::text as name, replace(substring(c.relname from '_(20[0-9_]+)$'), '_', '-') as time_window
       from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent in ('visitors'::regclass, 'account_visitors'::regclass)
        and c.relname ~ '^(account_)?visitors_20[0-9]{2}_(0[1-9]|1[0-2])(_[0-3][0-9])?$'
     offset 0
   ) named
    where ${windowEnd('time_window')} + $1 * interval '1 day' <= now() order by 1`,
);
