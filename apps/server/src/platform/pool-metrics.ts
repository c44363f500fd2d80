import { Gauge, Histogram, type Registry } from 'prom-client';
import type { PoolWatch } from './pool-watch.ts';

export type PoolMetrics = {
  /** For the pool of this name. */
  of(pool: string): PoolWatch;
};

export function createPoolMetrics(registry: Registry): PoolMetrics {
  const pools = new Map<string, { readonly waitingCount: number }>();
  new Gauge({
    name: 'signpost_database_pool_waiting',
    help: 'Calls that wait for a connection to PostgreSQL, by pool.',
    labelNames: ['pool'],
    registers: [registry],
    collect() {
      for (const [pool, { waitingCount }] of pools) this.set({ pool }, waitingCount);
    },
  });
  const waits = new Histogram({
    name: 'signpost_database_pool_wait_seconds',
    help: 'Waits for a connection to PostgreSQL, by pool; only of calls that found none idle.',
    labelNames: ['pool'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  return {
    of(pool) {
      waits.zero({ pool });
      return {
        watch: watched => void pools.set(pool, watched),
        waited: seconds => waits.observe({ pool }, seconds),
      };
    },
  };
}
