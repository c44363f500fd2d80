import type { Metric, Registry } from 'prom-client';
import { addCounter, addGauge } from '../platform/metrics.ts';
import type { AnswerTimes } from './answer-times.ts';
import type { DatabaseWatch } from './database-watch.ts';
import type { KeyFilter } from './key-filter.ts';
import type { Lease } from './lease.ts';
import type { LinkSnapshot } from './link-snapshot.ts';
import type { Links } from './links.ts';
import type { LookUpGate } from './look-up-gate.ts';

type Parts = {
  readonly lease: Pick<Lease, 'isGood' | 'renewedMsAgo' | 'timesLost'>;
  readonly links: Pick<Links, 'size' | 'lookUpCounts'>;
  readonly watch: Pick<DatabaseWatch, 'silentMs'>;
  readonly gate: Pick<LookUpGate, 'waiting'>;
  readonly filter: Pick<KeyFilter, 'bytes'>;
  readonly snapshot: Pick<LinkSnapshot, 'ageSeconds'>;
  readonly times: Pick<AnswerTimes, 'read'>;
};

/** What the short links tell Prometheus of their answers and their memory, asked whenever it looks. */
export function createRedirectMetrics(registry: Registry, parts: Parts): void {
  const { lease, links, watch, gate, filter, snapshot, times } = parts;
  addAnswerTimes(registry, times);
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
  addCounter(
    registry,
    'signpost_lease_losses_total',
    'How often a lease that was held was lost.',
    () => lease.timesLost,
  );
  addCounter(
    registry,
    'signpost_link_lookups_total',
    'Short codes looked up, by what answered: `memory`, `database`, `last_known` (memory that PostgreSQL did not confirm), or nothing: `filter` (a code that cannot exist, asked for by somebody who guesses), `busy` (too many wait), `away` (PostgreSQL does not answer).',
    () => links.lookUpCounts,
    'kind',
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

/**
 * Made from the handler's own numbers. The library's histogram would look up labels and allocate for every scan.
 */
function addAnswerTimes(registry: Registry, times: Parts['times']): void {
  const name = 'signpost_redirect_seconds';
  const help =
    "Time to answer short links, by status: from a request's arrival at the handler to the head of its answer, the wait for the scan log included. Not in it: what the request waited for in the kernel, in the event loop or behind others of its connection, and what the answer waits for there.";
  const histogram = { name, help, type: 'histogram', labelNames: ['status'] };
  const get = async () => ({
    ...histogram,
    values: times
      .read()
      .flatMap(({ status, upTo, answers, seconds }) => [
        ...upTo.map(([le, value]) => ({ metricName: `${name}_bucket`, labels: { status, le }, value })),
        { metricName: `${name}_bucket`, labels: { status, le: '+Inf' }, value: answers },
        { metricName: `${name}_sum`, labels: { status }, value: seconds },
        { metricName: `${name}_count`, labels: { status }, value: answers },
      ]),
  });
  // The registry asks a metric for its values and nothing else, which its types do not say.
  registry.registerMetric({ ...histogram, get } as unknown as Metric);
}
