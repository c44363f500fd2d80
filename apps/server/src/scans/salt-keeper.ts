import { type Database, sql } from '../platform/postgres/postgres.ts';
import { windowEnd } from '../platform/postgres/window-end.ts';
import { createSaltBytes, windowAt, windowKinds } from './visitor.ts';

/** Creates the salts of the windows ahead of time, and destroys them after use. Redirects only read them. */
export type SaltKeeper = {
  /**
   * Creates the salts of this window, of the next and of all that begin within two days: for months and for days, so that
   * no redirect is without one, whichever VISITOR_WINDOW it has. Returns how many it created.
   */
  create(now: Date): Promise<number>;
  /** Destroys the salts of windows that closed at least two days ago by PostgreSQL's clock, and returns how many. */
  destroyOld(): Promise<number>;
};

/** Ingest may be down for this long without a redirect having to do without a salt. */
const aheadMs = 2 * 24 * 60 * 60 * 1000;

export function createSaltKeeper(db: Database): SaltKeeper {
  return {
    async create(now) {
      const wanted = windowsAhead(now.getTime());
      const found = await db.query<{ window: string }>(findWindows, [wanted]);
      const existing = new Set(found.map(({ window }) => window));
      const missing = wanted.filter(window => !existing.has(window));
      if (missing.length === 0) return 0;
      // Of several processes that create one at the same time, the first wins.
      const created = await db.query(insertSalts, [missing, missing.map(createSaltBytes)]);
      return created.length;
    },
    async destroyOld() {
      if ((await db.query(findExpired)).length === 0) return 0;
      return db.transaction(async tx => {
        await tx.query(lockTable);
        const deleted = await tx.query(deleteSalts);
        // A deleted row stays in the table's file, and a vacuum keeps it while any transaction may read it, such as a
        // backup of minutes. So the few remaining rows are rewritten into a new file.
        for (const statement of [copyRest, truncateTable, insertRest]) await tx.query(statement);
        return deleted.length;
      });
    },
  };
}

function windowsAhead(nowMs: number): string[] {
  return windowKinds.flatMap(kind => {
    const current = windowAt(nowMs, kind);
    const names = [current.name];
    let { endMs } = current;
    do {
      const next = windowAt(endMs, kind);
      names.push(next.name);
      endMs = next.endMs;
    } while (endMs <= nowMs + aheadMs);
    return names;
  });
}

const findWindows = sql('find_salt_windows', 'select "window" from visitor_salts where "window" = any($1)');
const insertSalts = sql(
  'insert_visitor_salts',
  `insert into visitor_salts ("window", salt, created_at)
   select "window", salt, now() from unnest($1::text[], $2::bytea[]) as s ("window", salt)
   on conflict do nothing returning "window"`,
);
const expired = `${windowEnd('"window"')} + interval '2 days' <= now()`;
const findExpired = sql('find_old_salts', `select 1 from visitor_salts where ${expired} limit 1`);
const lockTable = sql('lock_visitor_salts', 'lock table visitor_salts in access exclusive mode');
const deleteSalts = sql(
  'delete_visitor_salts',
  `delete from visitor_salts where ${expired} returning "window"`,
);
const copyRest = sql(
  'copy_visitor_salts',
  'create temporary table salts_left on commit drop as select * from visitor_salts',
);
const truncateTable = sql('truncate_visitor_salts', 'truncate visitor_salts');
const insertRest = sql(
  'insert_remaining_visitor_salts',
  'insert into visitor_salts select * from salts_left',
);
