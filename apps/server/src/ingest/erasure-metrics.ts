import { Counter, Gauge, type Registry } from 'prom-client';
import type { ErasureMetrics } from './ingest.ts';

/** Rows of deleted codes that ClickHouse hides and still has on its disk. Every ingest process tells it of the whole table. */
export function createErasureMetrics(registry: Registry): ErasureMetrics {
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `signpost_erasure_${name}`, help, registers: [registry] });
  const rows = gauge(
    'hidden_rows',
    'Scans of deleted codes that no query sees and that are still in the files of ClickHouse. Counted every hour.',
  );
  const oldest = gauge(
    'hidden_oldest_seconds',
    'For how long the oldest scans of deleted codes have been in the files of ClickHouse after they were hidden, at most; 0 without any.',
  );
  const merges = new Counter({
    name: 'signpost_erasure_merges_total',
    help: 'Months whose parts with hidden rows this process had rewritten, at most one a day over all processes.',
    registers: [registry],
  });
  // Not counted yet: 0 would be a claim.
  for (const one of [rows, oldest]) one.set(Number.NaN);
  return {
    hidden(state) {
      rows.set(state.rows);
      oldest.set(state.oldestSeconds);
      if (state.merged !== null) merges.inc();
    },
  };
}
