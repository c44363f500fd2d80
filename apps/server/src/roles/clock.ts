import type { Config } from '../config.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import { createClockMetrics } from '../platform/clock-metrics.ts';
import { askTime, createDatabaseClock, type DatabaseClock } from '../platform/database-clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { PoolMetrics } from '../platform/pool-metrics.ts';
import { createPostgres } from '../platform/postgres.ts';
import { ownPools } from './pool-sizes.ts';

type Parts = {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'registry'>;
  readonly pools: PoolMetrics;
  readonly lifecycle: Lifecycle;
};

/** The clock of a process. It connects when it is started; until then the machine's clock is used. */
export function openClock({ config, logger, metrics, pools, lifecycle }: Parts): DatabaseClock {
  const one = { databasePoolSize: ownPools.clock, databaseTimeoutMs: 2_000 };
  const db = createPostgres({ ...config, ...one }, () => undefined, pools.of('clock'));
  lifecycle.defer('postgres of the clock', () => db.close());
  const clock = createDatabaseClock({ ask: askTime(db), logger });
  lifecycle.defer('clock', () => clock.stop());
  createClockMetrics(metrics.registry, clock);
  return clock;
}
