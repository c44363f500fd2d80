import type { Registry } from 'prom-client';
import { addGauge } from '../platform/metrics.ts';
import type { Lease } from './lease.ts';
import type { Links } from './links.ts';

type Parts = { readonly lease: Pick<Lease, 'isGood' | 'renewedMsAgo'>; readonly links: Pick<Links, 'size'> };

/** What the short links tell Prometheus of their memory, asked whenever it looks. */
export function createRedirectMetrics(registry: Registry, { lease, links }: Parts): void {
  const gauge = (name: string, help: string, value: () => number) =>
    addGauge(registry, `signpost_${name}`, help, value);
  gauge('lease_held', '1 while memory may be trusted; at 0 every scan asks PostgreSQL.', () =>
    Number(lease.isGood()),
  );
  gauge(
    'lease_renewed_seconds_ago',
    'Since the lease was last renewed; +Inf where it never was.',
    () => lease.renewedMsAgo() / 1_000,
  );
  gauge(
    'links_in_memory',
    'Codes that the process remembers; the bound is LINKS_IN_MEMORY.',
    () => links.size,
  );
}
