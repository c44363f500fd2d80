import { type Database, sql } from '../platform/postgres/postgres.ts';
import { parseWindow, type Salt, toSalt, type WindowKind, windowAt } from './visitor.ts';

/** The salts of the windows, as a redirect reads them. They are created and destroyed elsewhere (`createSaltKeeper`). */
export type Salts = {
  /**
   * The salt of a window, synchronously. Null if it could not be read from PostgreSQL: the caller then has to manage
   * without, and count that. None is generated here, since every process would generate a different one.
   */
  of(window: string): Salt | null;
  /** Reads the salts of this window and the next, and drops expired ones from memory. Call it at start and every minute. */
  read(now: Date): Promise<void>;
};

/** Scans that were delayed by a failure still find the salt of their window for this long. */
const retentionMs = 2 * 24 * 60 * 60 * 1000;

export function createSalts({ db, kind }: { readonly db: Database; readonly kind: WindowKind }): Salts {
  const known = new Map<string, Salt>();

  function dropExpired(now: Date): void {
    for (const window of known.keys()) {
      if (isExpired(window, now)) known.delete(window);
    }
  }

  return {
    of: window => known.get(window) ?? null,
    async read(now) {
      dropExpired(now);
      const { name, endMs } = windowAt(now.getTime(), kind);
      const missing = [name, windowAt(endMs, kind).name].filter(window => !known.has(window));
      if (missing.length === 0) return;
      const rows = await db.query<{ window: string; salt: Buffer }>(findSalts, [missing]);
      for (const { window, salt } of rows) known.set(window, toSalt(salt));
    },
  };
}

const isExpired = (window: string, now: Date) => parseWindow(window).endMs + retentionMs <= now.getTime();

const findSalts = sql(
  'find_visitor_salts',
  'select "window", salt from visitor_salts where "window" = any($1)',
);
