import { Gauge, type Registry } from 'prom-client';
import type { ErasureBacklog, ShardLag } from './lag.ts';

export type LagMetrics = {
  /** Null if it could not be measured: no figure is better than a stale one. */
  set(lags: readonly ShardLag[] | null, erasures: ErasureBacklog | null): void;
};

/** How far ingest is behind. Every ingest process exports this for all shards, whether it owns them or not. */
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
    'Seconds since the last heartbeat of a worker of the shard, or since its stream was created if there was none.',
    'shard',
  );
  const replaced = gauge(
    'ingest_log_replaced_seconds',
    'Seconds since the log was found to be replaced by another one. Absent if that never happened.',
    'shard',
  );
  const lost = gauge(
    'ingest_log_lost_entries',
    'Entries of logs replaced within the last day that are neither counted nor in the new log.',
    'shard',
  );
  const due = gauge('erasures_due', 'Deleted codes whose scans are still to be erased.');
  const oldest = gauge('erasure_oldest_seconds', 'Seconds since the oldest of these codes was deleted.');
  return {
    set(lags, erasures) {
      for (const metric of [entries, seconds, silent, replaced, lost, due, oldest]) metric.reset();
      for (const lag of lags ?? []) {
        const { shard } = lag;
        entries.set({ shard }, lag.entries);
        seconds.set({ shard }, lag.seconds);
        silent.set({ shard }, lag.silentSeconds);
        if (lag.replaced) replaced.set({ shard }, lag.replaced.secondsAgo);
        lost.set({ shard }, lag.replaced?.lostInDay ?? 0);
      }
      // A reset would set a gauge without labels to 0, which would claim that nothing is due.
      due.set(erasures?.codes ?? Number.NaN);
      oldest.set(erasures?.oldestSeconds ?? Number.NaN);
    },
  };
}
