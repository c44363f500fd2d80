import { type BackgroundJobs, createBackgroundJobs } from '../../platform/background-jobs.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { NumberingInvalidator } from './cache-invalidator.ts';
import * as statements from './statements.ts';

type Options = {
  readonly db: Database;
  readonly links: Pick<NumberingInvalidator, 'number'>;
  readonly logger: Pick<Logger, 'warn'>;
};

/** Keys that are invalidated with one message. */
const changesPerStep = 1000;
/** Longer than an invalidation ever takes. */
const claimMs = 10_000;

/**
 * Invalidates the link of every changed code once more. The process that changes a code does so before it responds; but if it
 * is killed after its commit, redirects would serve the old link for as long as they hold their leases. A redirect that joins
 * reads the rows, and then the numbered changes: so a row stays until its change has a number.
 */
export function createInvalidationRelay({ db, links, logger }: Options): BackgroundJobs {
  /** If this process dies before it has deleted the rows, another repeats the invalidation. */
  async function relay(): Promise<boolean> {
    if ((await db.query(statements.anyChange)).length === 0) return false;
    const rows = await db.query<{ n: number; key: string }>(statements.claimChanges, [
      changesPerStep,
      claimMs,
    ]);
    if (rows.length === 0) return false;
    const numbers = rows.map(row => row.n);
    const isNumbered = await links.number([...new Set(rows.map(row => row.key))]);
    await db.query(isNumbered ? statements.deleteChanges : statements.releaseChanges, [numbers]);
    // Fewer: another process has claimed the rest.
    return isNumbered && rows.length === changesPerStep;
  }

  return createBackgroundJobs(logger, [{ name: 'invalidate changed links', everyMs: 1000, run: relay }]);
}
