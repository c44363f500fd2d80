import { Gauge, type Registry } from 'prom-client';
import { lookEvery } from '../platform/look-every.ts';
import type { ListedSpool, SpoolsLeft } from './spools-left.ts';

export type SpoolsLeftMetrics = {
  /** Null where it could not be read: then there is no figure rather than an old one. */
  set(spools: readonly ListedSpool[] | null): void;
};

/** Exported by ingest: the process whose spool it is no longer runs. */
export function createSpoolsLeftMetrics(registry: Registry): SpoolsLeftMetrics {
  const count = new Gauge({
    name: 'signpost_spools_left',
    help: 'Spools that redirects left behind with scans in them, and that no process works on.',
    registers: [registry],
  });
  const scans = new Gauge({
    name: 'signpost_spool_left_scans',
    help: 'Scans in such a spool when its process stopped. Absent where none was left.',
    labelNames: ['host', 'directory'],
    registers: [registry],
  });
  return {
    set(spools) {
      scans.reset();
      // Without labels a reset means 0, which would be a claim.
      count.set(spools?.length ?? Number.NaN);
      for (const spool of spools ?? [])
        scans.set({ host: spool.host, directory: spool.directory }, spool.scans);
    },
  };
}

/** Looks every two seconds, not whenever Prometheus asks: PostgreSQL may be away. Returns what ends it. */
export function watchSpoolsLeft(
  left: Pick<SpoolsLeft, 'list'>,
  metrics: SpoolsLeftMetrics,
  everyMs = 2_000,
): () => Promise<void> {
  return lookEvery(everyMs, async () => metrics.set(await left.list().catch(() => null)));
}
