import type { Config } from '../../config/config.ts';
import type { Lifecycle } from '../../kernel/running/lifecycle.ts';
import { createClockMetrics } from '../../platform/clock-metrics.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Metrics } from '../../platform/metrics.ts';
import {
  createDatabaseClock,
  type DatabaseClock,
  queryDatabaseTime,
} from '../../platform/postgres/database-clock.ts';
import type { PoolMetrics } from '../../platform/postgres/pool-metrics.ts';
import { ownPools } from '../../platform/postgres/pool-sizes.ts';
import { createPostgres } from '../../platform/postgres/postgres.ts';

type Parts = {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'registry'>;
  readonly pools: PoolMetrics;
  readonly lifecycle: Lifecycle;
};

/** The clock of a process. It connects when it is started; until then the machine's clock is used. */
export function openClock({ config, logger, metrics, pools, lifecycle }: Parts): DatabaseClock {
  const limits = { databasePoolSize: ownPools.clock, databaseTimeoutMs: 2_000 };
  const db = createPostgres({ ...config, ...limits }, () => undefined, pools.observerFor('clock'));
  lifecycle.defer('postgres of the clock', () => db.close());
  const clock = createDatabaseClock({ queryTime: queryDatabaseTime(db), logger });
  lifecycle.defer('clock', () => clock.stop());
  createClockMetrics(metrics.registry, clock);
  return clock;
}
