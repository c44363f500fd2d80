import { Counter, Gauge, type Registry } from 'prom-client';
import type { StreamSize } from '../platform/stream-sizes.ts';

export type StreamMetrics = {
  /** Null where it could not be found out: then the figures are absent rather than old. */
  set(sizes: readonly StreamSize[] | null): void;
};

/**
 * How full the streams are. Ingest exports all of them; a redirect its own shard, since a log fills up when no ingest runs.
 * In one process both write the same series.
 */
export function createStreamMetrics(registry: Registry): StreamMetrics {
  const gauge = (name: string, help: string) =>
    (registry.getSingleMetric(name) as Gauge<'stream'> | undefined) ??
    new Gauge({ name, help, labelNames: ['stream'], registers: [registry] });
  const bytes = gauge(
    'signpost_stream_bytes',
    'What a stream in NATS holds: the scan log of a shard, or the queue of webhooks.',
  );
  const limit = gauge(
    'signpost_stream_limit_bytes',
    'What the stream may hold at most (SCAN_LOG_MAX_MB). Absent where it is bounded by messages.',
  );
  const used = gauge(
    'signpost_stream_used_ratio',
    'How full the stream is by the bound that is nearer, bytes or messages: at 1 scans are spooled, and webhooks wait in PostgreSQL.',
  );
  let shown: readonly string[] = [];
  return {
    set(sizes) {
      for (const stream of shown) for (const one of [bytes, limit, used]) one.remove({ stream });
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

/** What ingest removes to make room. */
export function createTrimMetrics(registry: Registry): { trimmed(entries: number): void } {
  const trimmed = new Counter({
    name: 'signpost_ingest_entries_removed_total',
    help: 'Log entries that were counted and stored, and removed before their age to make room.',
    registers: [registry],
  });
  return { trimmed: entries => trimmed.inc(entries) };
}
