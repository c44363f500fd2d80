import { type Chores, createChores } from '../platform/chores.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres.ts';
import type { LinkDropper } from './service.ts';
import * as statements from './statements.ts';

type Options = {
  readonly db: Database;
  readonly links: LinkDropper;
  readonly logger: Pick<Logger, 'warn'>;
};

/** Changes that redirects are told of in one message. */
const most = 1000;
/** Longer than redirects are ever waited for. */
const claimMs = 10_000;

/**
 * Tells redirects of every change once more. Whoever changes a code does so too, before it answers; but where it is killed
 * after its commit, redirects would serve what they remember for as long as they hold their leases.
 */
export function createAnnouncer({ db, links, logger }: Options): Chores {
  /** The rows go when redirects have been told: where this process dies before, another tells them once more. */
  async function announce(): Promise<boolean> {
    if ((await db.query(statements.anyChange)).length === 0) return false;
    const rows = await db.query<{ n: number; key: string }>(statements.claimChanges, [most, claimMs]);
    if (rows.length === 0) return false;
    await links.drop([...new Set(rows.map(row => row.key))]);
    await db.query(statements.deleteChanges, [rows.map(row => row.n)]);
    // Fewer: all that are left are in the hands of another process.
    return rows.length === most;
  }

  return createChores(logger, [{ name: 'tell redirects of changes', everyMs: 1000, run: announce }]);
}
