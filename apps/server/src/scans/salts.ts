import { type Database, sql } from '../platform/postgres.ts';
import { windowEnd } from '../platform/window-end.ts';
import { createSaltBytes, type Salt, toSalt, type WindowKind, windowAt, windowNamed } from './visitor.ts';

/** The salts of the windows: one for all processes, known a while ahead, and destroyed when their time is over. */
export type Salts = {
  /**
   * The salt of a window, without waiting. Null where this process has not been able to read it from PostgreSQL: whoever
   * asks then has to do without, and to say so. It is not made up here, since processes would make up different ones.
   */
  of(window: string): Salt | null;
  /** Reads or makes the salts that are needed now and soon, and forgets those of long ago. Call it at start and every minute. */
  prepare(now: Date): Promise<void>;
  /**
   * Destroys the salts of windows that closed two days ago or earlier by PostgreSQL's clock, and tells how many. Call it
   * at start and every hour.
   */
  destroyOld(): Promise<number>;
};

/** Scans that waited out a failure still find the salt of their window for this long. */
const keptAfterCloseMs = 2 * 24 * 60 * 60 * 1000;

/** The next salt is made in the last tenth of a window, so that PostgreSQL may be away when the window changes. */
const lastPart = 0.1;

export function createSalts({ db, kind }: { readonly db: Database; readonly kind: WindowKind }): Salts {
  const known = new Map<string, Salt>();
  let started = false;

  async function ensure(window: string): Promise<void> {
    if (known.has(window)) return;
    await db.query(insertSalt, [window, createSaltBytes()]);
    // Read by a statement of its own, which sees what another process has put in first.
    const [row] = await db.query<{ salt: Buffer }>(findSalt, [window]);
    if (row) known.set(window, toSalt(row.salt));
  }

  function forgetOld(now: Date): void {
    for (const window of known.keys()) {
      if (isOver(window, now)) known.delete(window);
    }
  }

  return {
    of: window => known.get(window) ?? null,
    async prepare(now) {
      forgetOld(now);
      const { name, startMs, endMs } = windowAt(now.getTime(), kind);
      await ensure(name);
      const soon = endMs - now.getTime() < (endMs - startMs) * lastPart;
      if (soon || !started) await ensure(windowAt(endMs, kind).name);
      started = true;
    },
    async destroyOld() {
      if ((await db.query(findOver)).length === 0) return 0;
      const destroyed = await db.transaction(async tx => {
        await tx.query(lockTable);
        const deleted = await tx.query<{ window: string }>(deleteSalts);
        // A deleted row stays in the file of the table. A vacuum would keep it for as long as somebody reads, as a backup
        // does for minutes; so the few rows that are left are written into a new file.
        for (const statement of [copyRest, emptyTable, putBack]) await tx.query(statement);
        return deleted;
      });
      for (const { window } of destroyed) known.delete(window);
      return destroyed.length;
    },
  };
}

const isOver = (window: string, now: Date) => windowNamed(window).endMs + keptAfterCloseMs <= now.getTime();

const insertSalt = sql(
  'insert_visitor_salt',
  'insert into visitor_salts ("window", salt, created_at) values ($1, $2, now()) on conflict do nothing',
);
const findSalt = sql('find_visitor_salt', 'select salt from visitor_salts where "window" = $1');
const over = `${windowEnd('"window"')} + interval '2 days' <= now()`;
const findOver = sql('find_old_salts', `select 1 from visitor_salts where ${over} limit 1`);
const lockTable = sql('lock_visitor_salts', 'lock table visitor_salts in access exclusive mode');
const deleteSalts = sql('delete_visitor_salts', `delete from visitor_salts where ${over} returning "window"`);
const copyRest = sql(
  'copy_visitor_salts',
  'create temporary table salts_left on commit drop as select * from visitor_salts',
);
const emptyTable = sql('empty_visitor_salts', 'truncate visitor_salts');
const putBack = sql('put_visitor_salts_back', 'insert into visitor_salts select * from salts_left');
