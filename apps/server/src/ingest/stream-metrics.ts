import { Counter, Gauge, type Registry } from 'prom-client';
import type { StreamSize } from '../platform/stream-sizes.ts';

export type StreamMetrics = {
  /** Null: it could not be found out. Then nothing is told rather than something old. */
  set(sizes: readonly StreamSize[] | null): void;
  trimmed(entries: number): void;
};

/** How full the streams are, as Prometheus is told. Every ingest process tells it of all of them. */
export function createStreamMetrics(registry: Registry): StreamMetrics {
  const registers = [registry];
  const bytes = new Gauge({
    name: 'signpost_stream_bytes',
    help: 'What a stream in NATS holds: the scan log of a shard, or the queue of webhooks.',
    labelNames: ['stream'],
    registers,
  });
  const limit = new Gauge({
    name: 'signpost_stream_limit_bytes',
    help: 'What the stream may hold at most; past it, scans are spooled and webhooks wait in PostgreSQL.',
    labelNames: ['stream'],
    registers,
  });
  const trimmed = new Counter({
    name: 'signpost_ingest_entries_removed_total',
    help: 'Log entries that were counted and stored, and removed before their age to make room.',
    registers,
  });
  return {
    set(sizes) {
      bytes.reset();
      limit.reset();
      for (const { stream, bytes: held, maxBytes } of sizes ?? []) {
        bytes.set({ stream }, held);
        limit.set({ stream }, maxBytes);
      }
    },
    trimmed: entries => trimmed.inc(entries),
  };
}
