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

/**
 * Tells redirects of every change once more. Whoever changes a code does so too, before it answers; but where it is killed
 * after its commit, redirects would serve what they remember for as long as they hold their leases.
 */
export function createAnnouncer({ db, links, logger }: Options): Chores {
  /** The rows go when redirects have been told: with another process that dies here, they are told a third time. */
  const announceSome = (): Promise<boolean> =>
    db.transaction(async tx => {
      const rows = await tx.query<{ short_code: string }>(statements.takeChanges, [most]);
      if (rows.length > 0) await links.drop([...new Set(rows.map(row => row.short_code))]);
      // Fewer: all that are left are in the hands of another process.
      return rows.length === most;
    });

  async function announce(): Promise<boolean> {
    return (await db.query(statements.anyChange)).length > 0 && (await announceSome());
  }

  return createChores(logger, [{ name: 'tell redirects of changes', everyMs: 1000, run: announce }]);
}
