import type { Metric, Registry } from 'prom-client';
import { addCounter, addGauge } from '../platform/metrics.ts';
import type { ChangeFeed } from './changes/change-feed.ts';
import type { Lease } from './changes/lease.ts';
import type { DatabaseWatch } from './links/database-watch.ts';
import type { KeyFilter } from './links/key-filter.ts';
import type { LinkSnapshot } from './links/link-snapshot.ts';
import type { Links } from './links/links.ts';
import type { LookupGate } from './links/lookup-gate.ts';
import type { ResponseTimes } from './response-times.ts';

type Parts = {
  readonly lease: Pick<Lease, 'isGood' | 'renewedMsAgo' | 'timesLost'>;
  readonly changes: Pick<ChangeFeed, 'epoch' | 'applied' | 'caughtUp'>;
  readonly links: Pick<Links, 'size' | 'lookupCounts'>;
  readonly watch: Pick<DatabaseWatch, 'silentMs'>;
  readonly gate: Pick<LookupGate, 'waiting'>;
  readonly filter: Pick<KeyFilter, 'bytes'>;
  readonly snapshot: Pick<LinkSnapshot, 'ageSeconds'>;
  readonly times: Pick<ResponseTimes, 'read'>;
  /** Null before the first measurement. */
  readonly roundTripsMs: { readonly postgres: () => number | null; readonly redis: () => number | null };
};

/** Metrics of the responses of short links and of the link cache, read at each scrape. */
export function createRedirectMetrics(registry: Registry, parts: Parts): void {
  const { lease, changes, links, watch, gate, filter, snapshot, times, roundTripsMs } = parts;
  addResponseTimes(registry, times);
  const gauge = (name: string, help: string, value: () => number) =>
    addGauge(registry, `signpost_${name}`, help, value);
  gauge('lease_held', '1 while links may be served from memory; at 0 every scan asks PostgreSQL.', () =>
    Number(lease.isGood()),
  );
  gauge(
    'lease_renewed_seconds_ago',
    'Time since the lease was last renewed; +Inf where it never was.',
    () => lease.renewedMsAgo() / 1_000,
  );
  addCounter(
    registry,
    'signpost_lease_losses_total',
    'How often a held lease was lost.',
    () => lease.timesLost,
  );
  gauge(
    'change_applied',
    'The number of the last change of links that this process has applied; all of them are equal but for a moment.',
    () => changes.applied,
  );
  addCounter(
    registry,
    'signpost_changes_caught_up_total',
    'Changes of links that did not arrive and were read from the stream.',
    () => changes.caughtUp,
  );
  addCounter(
    registry,
    'signpost_link_memory_resets_total',
    'How often all links in memory were no longer trusted, because it could not be told what was missed. The start counts as 1.',
    () => changes.epoch,
  );
  addCounter(
    registry,
    'signpost_link_lookups_total',
    'Short codes looked up, by what answered: `memory`, `database`, `last_known` (memory that PostgreSQL did not confirm), or nothing: `filter` (a code that cannot exist, requested by a client that guesses), `busy` (too many look-ups wait), `away` (PostgreSQL does not answer).',
    () => links.lookupCounts,
    'kind',
  );
  gauge('links_in_memory', 'Codes in memory; the limit is LINKS_IN_MEMORY.', () => links.size);
  gauge(
    'database_silent_seconds',
    'For how long PostgreSQL has not answered this redirect; 0 while it answers.',
    () => watch.silentMs() / 1_000,
  );
  gauge(
    'postgres_round_trip_seconds',
    'How long PostgreSQL takes to answer this redirect, the shortest of some probes: the time after which it counts as silent follows it. NaN before the first answer.',
    () => (roundTripsMs.postgres() ?? Number.NaN) / 1_000,
  );
  gauge(
    'redis_round_trip_seconds',
    'How long Redis takes to answer lease calls, smoothed: their time limit follows it. NaN before the first answer.',
    () => (roundTripsMs.redis() ?? Number.NaN) / 1_000,
  );
  gauge('lookups_waiting', 'Look-ups of codes not in memory that wait for PostgreSQL.', () => gate.waiting);
  gauge('key_filter_bytes', 'Memory of the filter of short codes that exist.', () => filter.bytes);
  gauge('link_snapshot_age_seconds', 'Age of the snapshot of links on disk; +Inf where there is none.', () =>
    snapshot.ageSeconds(),
  );
}

/**
 * Built from the handler's own numbers. The library's histogram would look up labels and allocate for every scan.
 */
function addResponseTimes(registry: Registry, times: Parts['times']): void {
  const name = 'signpost_redirect_seconds';
  const help =
    'Time to answer short links, by status: from the arrival of a request at the handler to the head of its response, including the wait for the scan log. Not included: time that the request or the response waits in the kernel, in the event loop or behind other requests of its connection.';
  const histogram = { name, help, type: 'histogram', labelNames: ['status'] };
  const get = async () => ({
    ...histogram,
    values: times
      .read()
      .flatMap(({ status, buckets, responses, seconds }) => [
        ...buckets.map(([le, value]) => ({ metricName: `${name}_bucket`, labels: { status, le }, value })),
        { metricName: `${name}_bucket`, labels: { status, le: '+Inf' }, value: responses },
        { metricName: `${name}_sum`, labels: { status }, value: seconds },
        { metricName: `${name}_count`, labels: { status }, value: responses },
      ]),
  });
  // The registry only calls `get`, although its type asks for more.
  registry.registerMetric({ ...histogram, get } as unknown as Metric);
}
