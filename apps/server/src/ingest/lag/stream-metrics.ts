import { Counter, Gauge, type Registry } from 'prom-client';
import type { StreamSize } from '../../platform/nats/stream-sizes.ts';

export type StreamMetrics = {
  /** Null if it could not be measured: no figures are better than stale ones. */
  set(sizes: readonly StreamSize[] | null): void;
};

/**
 * How full the streams are. Ingest exports all of them, a redirect the shards of the log, since they fill up when no ingest runs.
 * If both run in one process, they write the same series.
 */
export function createStreamMetrics(registry: Registry): StreamMetrics {
  const gauge = (name: string, help: string) =>
    (registry.getSingleMetric(name) as Gauge<'stream'> | undefined) ??
    new Gauge({ name, help, labelNames: ['stream'], registers: [registry] });
  const bytes = gauge(
    'signpost_stream_bytes',
    'Bytes in a stream of NATS: the scan log of a shard, or the webhook queue.',
  );
  const limit = gauge(
    'signpost_stream_limit_bytes',
    'The limit of the stream in bytes (SCAN_LOG_MAX_MB). Absent if it is limited by messages.',
  );
  const used = gauge(
    'signpost_stream_used_ratio',
    'How full the stream is, by bytes or messages, whichever limit is nearer: at 1 scans are spooled, and webhooks wait in PostgreSQL.',
  );
  let shown: readonly string[] = [];
  return {
    set(sizes) {
      for (const stream of shown) for (const metric of [bytes, limit, used]) metric.remove({ stream });
      shown = (sizes ?? []).map(({ stream }) => stream);
      for (const size of sizes ?? []) {
        const { stream } = size;
        bytes.set({ stream }, size.bytes);
        if (size.maxBytes !== null) limit.set({ stream }, size.maxBytes);
        used.set({ stream }, size.used);
      }
    },
  };
}

/** Entries that ingest trims to make room. */
export function createTrimMetrics(registry: Registry): { trimmed(entries: number): void } {
  const trimmed = new Counter({
    name: 'signpost_ingest_entries_removed_total',
    help: 'Log entries that were counted and stored, and trimmed before their retention ended to make room.',
    registers: [registry],
  });
  return { trimmed: entries => trimmed.inc(entries) };
}
