import { Gauge, type Registry } from 'prom-client';
import type { ErasureBacklog, ShardLag } from './lag.ts';

export type LagMetrics = {
  /** Null: it could not be found out. Then nothing is told rather than something old. */
  set(lags: readonly ShardLag[] | null, erasures: ErasureBacklog | null): void;
};

/** How far ingest is behind, as Prometheus is told. Every ingest process tells it of all shards, at work or standing by. */
export function createLagMetrics(registry: Registry): LagMetrics {
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name: `signpost_${name}`, help, labelNames, registers: [registry] });
  const entries = gauge(
    'ingest_behind_entries',
    'Entries of the scan log that are not counted yet.',
    'shard',
  );
  const seconds = gauge(
    'ingest_behind_seconds',
    'The age of the oldest entry that is not counted yet.',
    'shard',
  );
  const silent = gauge(
    'ingest_worker_silent_seconds',
    'Since a worker last said that it works on the shard, or since its stream was made where none ever did.',
    'shard',
  );
  const replaced = gauge(
    'ingest_log_replaced_seconds',
    'Since another log was found in the place of the one that was counted. Absent where that never happened.',
    'shard',
  );
  const lost = gauge(
    'ingest_log_lost_entries',
    'Entries of logs that were replaced within a day that are neither counted nor in the log that came after.',
    'shard',
  );
  const due = gauge('erasures_due', 'Deleted codes whose scans are still to be erased.');
  const oldest = gauge('erasure_oldest_seconds', 'Since the oldest of them was deleted.');
  return {
    set(lags, erasures) {
      for (const one of [entries, seconds, silent, replaced, lost, due, oldest]) one.reset();
      for (const lag of lags ?? []) {
        const { shard } = lag;
        entries.set({ shard }, lag.entries);
        seconds.set({ shard }, lag.seconds);
        silent.set({ shard }, lag.silentSeconds);
        if (lag.replaced) replaced.set({ shard }, lag.replaced.secondsAgo);
        lost.set({ shard }, lag.replaced?.lostInDay ?? 0);
      }
      // Without labels a reset means 0, which would be a claim.
      due.set(erasures?.codes ?? Number.NaN);
      oldest.set(erasures?.oldestSeconds ?? Number.NaN);
    },
  };
}
