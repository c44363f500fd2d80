import { Gauge, type Registry } from 'prom-client';
import { poll } from '../../platform/background-jobs.ts';
import type { ListedSpool, SpoolsLeft } from './left-behind.ts';

export type SpoolsLeftMetrics = {
  /** Null if it could not be read: no figure is better than a stale one. */
  set(spools: readonly ListedSpool[] | null): void;
};

/** Exported by ingest, because the process of the spool no longer runs. */
export function createSpoolsLeftMetrics(registry: Registry): SpoolsLeftMetrics {
  const count = new Gauge({
    name: 'signpost_spools_left',
    help: 'Spools that redirects left behind with scans in them, and that no process is replaying.',
    registers: [registry],
  });
  const scans = new Gauge({
    name: 'signpost_spool_left_scans',
    help: 'Scans in such a spool when its process stopped. Absent if there are none.',
    labelNames: ['host', 'directory'],
    registers: [registry],
  });
  return {
    set(spools) {
      scans.reset();
      // A reset would set a gauge without labels to 0, which would claim that none is left.
      count.set(spools?.length ?? Number.NaN);
      for (const spool of spools ?? [])
        scans.set({ host: spool.host, directory: spool.directory }, spool.scans);
    },
  };
}

/** Polls every two seconds instead of at each scrape, since PostgreSQL may be down. Returns a stop function. */
export function watchSpoolsLeft(
  left: Pick<SpoolsLeft, 'list'>,
  metrics: SpoolsLeftMetrics,
): () => Promise<void> {
  return poll(2_000, async () => metrics.set(await left.list().catch(() => null)));
}
