import { Counter, Gauge, type Registry } from 'prom-client';
import type { Share } from './share.ts';

export type ShareKind = 'exports' | 'queries' | 'deliveries' | 'drawing' | 'logos';

/** Metrics of what accounts share: ClickHouse, connections to PostgreSQL, and the threads that draw and decode. */
export function createShareMetrics(registry: Registry) {
  const labelNames = ['kind'] as const;
  const registers = [registry];
  const shares = new Map<ShareKind, Pick<Share, 'inUse' | 'waiting'>>();
  const gauge = (name: string, help: string, figure: 'inUse' | 'waiting') =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        for (const [kind, share] of shares) this.set({ kind }, share[figure]);
      },
    });
  gauge(
    'signpost_share_slots_in_use',
    'Slots in use, by kind: exports and queries about scans, lists of deliveries, drawing threads, threads that decode logos.',
    'inUse',
  );
  gauge('signpost_share_waiting', 'Calls that wait for a slot of their account.', 'waiting');
  return {
    refused: new Counter({
      name: 'signpost_share_refused_total',
      help: 'Calls refused because no slot became free in time or too many were waiting.',
      labelNames,
      registers,
    }),
    withoutRedis: new Counter({
      name: 'signpost_share_without_redis_total',
      help: 'Slots that the process counted alone because Redis did not answer.',
      labelNames,
      registers,
    }),
    slowReaders: new Counter({
      name: 'signpost_slow_readers_aborted_total',
      help: 'Exports aborted because the client read them too slowly.',
      registers,
    }),
    watch(kind: ShareKind, share: Pick<Share, 'inUse' | 'waiting'>) {
      shares.set(kind, share);
    },
  };
}
