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
    help: 'What the stream may hold at most. Absent where it is bounded by messages.',
    labelNames: ['stream'],
    registers,
  });
  const used = new Gauge({
    name: 'signpost_stream_used_ratio',
    help: 'How full the stream is by the bound that is nearer, bytes or messages: from 0.9 on scans are spooled, at 1 webhooks wait in PostgreSQL.',
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
      used.reset();
      for (const size of sizes ?? []) {
        const { stream } = size;
        bytes.set({ stream }, size.bytes);
        if (size.maxBytes !== null) limit.set({ stream }, size.maxBytes);
        if (size.used !== null) used.set({ stream }, size.used);
      }
    },
    trimmed: entries => trimmed.inc(entries),
  };
}
