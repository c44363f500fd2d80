import type { Clock } from '../kernel/clock.ts';
import { lookEvery } from '../platform/look-every.ts';
import type { Database } from '../platform/postgres.ts';
import { type LogGauge, measureErasures, measureLag, noteReached } from './lag.ts';
import type { LagMetrics } from './lag-metrics.ts';

type Parts = {
  readonly db: Database;
  readonly log: LogGauge;
  readonly clock: Clock;
  readonly metrics: LagMetrics;
  readonly everyMs?: number;
};

/**
 * Looks every two seconds, not whenever Prometheus asks: what is measured may be away, and metrics must come all the
 * same. Returns what ends it.
 */
export function watchLag({ db, log, clock, metrics, everyMs = 2_000 }: Parts): () => Promise<void> {
  return lookEvery(everyMs, async () => {
    const [lags, erasures] = await Promise.all([
      measureLag(db, log, clock.now().getTime()).catch(() => null),
      measureErasures(db).catch(() => null),
    ]);
    metrics.set(lags, erasures);
    for (const lag of lags ?? []) await noteReached(db, log, lag).catch(() => undefined);
  });
}
