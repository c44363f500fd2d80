import { Counter, Gauge, type Registry } from 'prom-client';
import type { Share } from './share.ts';

export type ShareKind = 'exports' | 'questions';
export type ShareMetrics = ReturnType<typeof createShareMetrics>;

/** What the API tells Prometheus of the shares of accounts. */
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
  gauge('signpost_share_places', 'Places for exports and questions to ClickHouse that are in use.', 'inUse');
  gauge('signpost_share_waiting', 'Calls that wait for a place of their account.', 'waiting');
  return {
    refused: new Counter({
      name: 'signpost_share_refused_total',
      help: 'Calls refused with 429 because there was no free place for their account in time.',
      labelNames,
      registers,
    }),
    withoutRedis: new Counter({
      name: 'signpost_share_without_redis_total',
      help: 'Places that the process counted alone because Redis did not answer.',
      labelNames,
      registers,
    }),
    slowReaders: new Counter({
      name: 'signpost_slow_readers_ended_total',
      help: 'Exports aborted because the client read them too slowly.',
      registers,
    }),
    watch(kind: ShareKind, share: Pick<Share, 'inUse' | 'waiting'>) {
      shares.set(kind, share);
    },
  };
}
