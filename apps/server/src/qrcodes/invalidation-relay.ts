import { type BackgroundJobs, createBackgroundJobs } from '../platform/background-jobs.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres.ts';
import type { CacheInvalidator } from './cache-invalidator.ts';
import * as statements from './statements.ts';

type Options = {
  readonly db: Database;
  readonly links: CacheInvalidator;
  readonly logger: Pick<Logger, 'warn'>;
};

/** Keys that are invalidated with one message. */
const batchSize = 1000;
/** Longer than an invalidation ever takes. */
const claimMs = 10_000;

/**
 * Invalidates the link of every changed code once more. The process that changes a code does so before it responds; but if it
 * is killed after its commit, redirects would serve the old link for as long as they hold their leases.
 */
export function createInvalidationRelay({ db, links, logger }: Options): BackgroundJobs {
  /** Rows are deleted after the invalidation: if this process dies before that, another repeats it. */
  async function relay(): Promise<boolean> {
    if ((await db.query(statements.anyChange)).length === 0) return false;
    const rows = await db.query<{ n: number; key: string }>(statements.claimChanges, [batchSize, claimMs]);
    if (rows.length === 0) return false;
    await links.invalidate([...new Set(rows.map(row => row.key))]);
    await db.query(statements.deleteChanges, [rows.map(row => row.n)]);
    // Fewer: another process has claimed the rest.
    return rows.length === batchSize;
  }

  return createBackgroundJobs(logger, [{ name: 'invalidate changed links', everyMs: 1000, run: relay }]);
}
