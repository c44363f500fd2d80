import type { Registry } from 'prom-client';
import { addGauge } from './metrics.ts';
import type { DatabaseClock } from './postgres/database-clock.ts';

export function createClockMetrics(registry: Registry, clock: Pick<DatabaseClock, 'skewMs'>): void {
  addGauge(
    registry,
    'signpost_clock_skew_seconds',
    "How far this machine's clock is ahead of PostgreSQL's; NaN before the first measurement.",
    () => (clock.skewMs() ?? Number.NaN) / 1_000,
  );
  addGauge(
    registry,
    'signpost_clock_measured',
    "1 if PostgreSQL's time is known, 0 if the process has only its own clock.",
    () => Number(clock.skewMs() !== null),
  );
}
