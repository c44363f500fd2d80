import type { Clock } from '../../kernel/clock.ts';
import { poll } from '../../platform/background-jobs.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { type LagSource, measureErasures, measureLag, recordReached } from './lag.ts';
import type { LagMetrics } from './lag-metrics.ts';

type Parts = {
  readonly db: Database;
  readonly log: LagSource;
  readonly clock: Clock;
  readonly metrics: LagMetrics;
  readonly everyMs?: number;
};

/**
 * Polls every two seconds instead of at each scrape: PostgreSQL or NATS may be down, and the scrape must still succeed.
 * Returns a stop function.
 */
export function watchLag({ db, log, clock, metrics, everyMs = 2_000 }: Parts): () => Promise<void> {
  return poll(everyMs, async () => {
    const [lags, erasures] = await Promise.all([
      measureLag(db, log, clock.now().getTime()).catch(() => null),
      measureErasures(db).catch(() => null),
    ]);
    metrics.set(lags, erasures);
    for (const lag of lags ?? []) await recordReached(db, log, lag).catch(() => undefined);
  });
}
