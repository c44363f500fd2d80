import type { Lifecycle } from '../../kernel/running/lifecycle.ts';
import { runService } from '../../kernel/running/run-service.ts';
import { createBackgroundJobs } from '../../platform/background-jobs.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { createRemovalJob } from '../../platform/postgres/removal-job.ts';
import { createIdempotency } from './idempotency.ts';

type Parts = {
  readonly db: Database;
  readonly metrics: Pick<Metrics, 'idempotencyKeysRemoved'>;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
};

/** Stored responses of POSTs with an Idempotency-Key, and the removal of those that are older than a day. */
export function openIdempotency({ db, metrics, logger, lifecycle }: Parts) {
  const idempotency = createIdempotency(db);
  const removeExpired = async (limit: number) => {
    const removed = await idempotency.removeExpired(limit);
    metrics.idempotencyKeysRemoved.inc(removed);
    return removed;
  };
  const removal = createRemovalJob('idempotency keys', removeExpired, logger);
  runService(lifecycle, 'idempotency keys', createBackgroundJobs(logger, [removal]));
  return idempotency;
}
