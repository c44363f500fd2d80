import type { Registry } from 'prom-client';
import { addGauge } from '../platform/metrics.ts';
import type { DatabaseWatch } from './database-watch.ts';
import type { KeyFilter } from './key-filter.ts';
import type { Lease } from './lease.ts';
import type { LinkSnapshot } from './link-snapshot.ts';
import type { Links } from './links.ts';
import type { LookUpGate } from './look-up-gate.ts';

type Parts = {
  readonly lease: Pick<Lease, 'isGood' | 'renewedMsAgo'>;
  readonly links: Pick<Links, 'size'>;
  readonly watch: Pick<DatabaseWatch, 'silentMs'>;
  readonly gate: Pick<LookUpGate, 'waiting'>;
  readonly filter: Pick<KeyFilter, 'bytes'>;
  readonly snapshot: Pick<LinkSnapshot, 'ageSeconds'>;
};

/** What the short links tell Prometheus of their memory, asked whenever it looks. */
export function createRedirectMetrics(registry: Registry, parts: Parts): void {
  const { lease, links, watch, gate, filter, snapshot } = parts;
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
  gauge(
    'database_silent_seconds',
    'For how long PostgreSQL has not answered this redirect; 0 while it answers.',
    () => watch.silentMs() / 1_000,
  );
  gauge('lookups_waiting', 'Codes not in memory that wait for PostgreSQL.', () => gate.waiting);
  gauge('key_filter_bytes', 'Memory of the filter of short codes that exist.', () => filter.bytes);
  gauge('link_snapshot_age_seconds', 'Age of the snapshot of links on disk; +Inf where there is none.', () =>
    snapshot.ageSeconds(),
  );
}
