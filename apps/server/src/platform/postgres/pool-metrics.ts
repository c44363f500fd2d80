import { Gauge, Histogram, type Registry } from 'prom-client';
import type { PoolObserver } from './observed-pool.ts';

export type PoolMetrics = {
  /** `pool` is its name in the metrics. */
  observerFor(pool: string): PoolObserver;
};

export function createPoolMetrics(registry: Registry): PoolMetrics {
  const pools = new Map<string, { readonly waitingCount: number }>();
  new Gauge({
    name: 'signpost_database_pool_waiting',
    help: 'Callers waiting for a connection to PostgreSQL, by pool.',
    labelNames: ['pool'],
    registers: [registry],
    collect() {
      for (const [pool, { waitingCount }] of pools) this.set({ pool }, waitingCount);
    },
  });
  const waits = new Histogram({
    name: 'signpost_database_pool_wait_seconds',
    help: 'Time spent waiting for a connection to PostgreSQL, by pool; only callers that found none idle.',
    labelNames: ['pool'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  return {
    observerFor(pool) {
      waits.zero({ pool });
      return {
        attach: watched => void pools.set(pool, watched),
        waited: seconds => waits.observe({ pool }, seconds),
      };
    },
  };
}
