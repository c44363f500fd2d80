import { type Database, sql } from '../platform/postgres.ts';
import { windowEnd } from '../platform/window-end.ts';
import { createSaltBytes, type Salt, toSalt, type WindowKind, windowAt, windowNamed } from './visitor.ts';

/** The salts of the windows: shared by all processes, created ahead of time, and destroyed after use. */
export type Salts = {
  /**
   * The salt of a window, synchronously. Null if this process could not read it from PostgreSQL: the caller then has to
   * manage without, and count that. None is generated here, since every process would generate a different one.
   */
  of(window: string): Salt | null;
  /** Loads or creates the salts that are needed now and soon, and drops expired ones from memory. Call it at start and every minute. */
  prepare(now: Date): Promise<void>;
  /**
   * Destroys the salts of windows that closed at least two days ago by PostgreSQL's clock, and returns how many. Call it
   * at start and every hour.
   */
  destroyOld(): Promise<number>;
};

/** Scans that were delayed by a failure still find the salt of their window for this long. */
const retentionMs = 2 * 24 * 60 * 60 * 1000;

/** The next salt is created in the last tenth of a window, so that PostgreSQL may be down when the window changes. */
const prepareAheadShare = 0.1;

export function createSalts({ db, kind }: { readonly db: Database; readonly kind: WindowKind }): Salts {
  const known = new Map<string, Salt>();
  let started = false;

  async function ensure(window: string): Promise<void> {
    if (known.has(window)) return;
    await db.query(insertSalt, [window, createSaltBytes()]);
    // A separate statement, so that it sees the row of a process that inserted first.
    const [row] = await db.query<{ salt: Buffer }>(findSalt, [window]);
    if (row) known.set(window, toSalt(row.salt));
  }

  function dropExpired(now: Date): void {
    for (const window of known.keys()) {
      if (isExpired(window, now)) known.delete(window);
    }
  }

  return {
    of: window => known.get(window) ?? null,
    async prepare(now) {
      dropExpired(now);
      const { name, startMs, endMs } = windowAt(now.getTime(), kind);
      await ensure(name);
      const soon = endMs - now.getTime() < (endMs - startMs) * prepareAheadShare;
      if (soon || !started) await ensure(windowAt(endMs, kind).name);
      started = true;
    },
    async destroyOld() {
      if ((await db.query(findExpired)).length === 0) return 0;
      const destroyed = await db.transaction(async tx => {
        await tx.query(lockTable);
        const deleted = await tx.query<{ window: string }>(deleteSalts);
        // A deleted row stays in the table's file, and a vacuum keeps it while any transaction may read it, such as a
        // backup of minutes. So the few remaining rows are rewritten into a new file.
        for (const statement of [copyRest, truncateTable, insertRest]) await tx.query(statement);
        return deleted;
      });
      for (const { window } of destroyed) known.delete(window);
      return destroyed.length;
    },
  };
}

const isExpired = (window: string, now: Date) => windowNamed(window).endMs + retentionMs <= now.getTime();

const insertSalt = sql(
  'insert_visitor_salt',
  'insert into visitor_salts ("window", salt, created_at) values ($1, $2, now()) on conflict do nothing',
);
const findSalt = sql('find_visitor_salt', 'select salt from visitor_salts where "window" = $1');
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
