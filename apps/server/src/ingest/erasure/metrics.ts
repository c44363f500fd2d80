import { Counter, Gauge, type Registry } from 'prom-client';
import type { ErasureMetrics } from '../ingest.ts';

/** Rows of deleted codes that ClickHouse hides but still has on disk. Every ingest process exports this for the whole table. */
export function createErasureMetrics(registry: Registry): ErasureMetrics {
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `signpost_erasure_${name}`, help, registers: [registry] });
  const rows = gauge(
    'hidden_rows',
    'Scans of deleted codes that are hidden from queries but still in the files of ClickHouse. Counted every hour.',
  );
  const oldest = gauge(
    'hidden_oldest_seconds',
    'How long at most the oldest hidden scans have been in the files of ClickHouse; 0 if there are none.',
  );
  const merges = new Counter({
    name: 'signpost_erasure_merges_total',
    help: 'Months whose parts with hidden rows this process had rewritten; at most one a day across all processes.',
    registers: [registry],
  });
  // Not counted yet: 0 would claim that there are none.
  for (const metric of [rows, oldest]) metric.set(Number.NaN);
  return {
    hidden(state) {
      rows.set(state.rows);
      oldest.set(state.oldestSeconds);
      if (state.rewrittenMonth !== null) merges.inc();
    },
  };
}
