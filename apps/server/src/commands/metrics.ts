import { Registry } from 'prom-client';
import { createBackupMetrics } from '../backup/metrics.ts';
import { createErasureMetrics } from '../ingest/erasure/metrics.ts';
import { createLagMetrics } from '../ingest/lag/lag-metrics.ts';
import { createStreamMetrics, createTrimMetrics } from '../ingest/lag/stream-metrics.ts';
import { createIngestMetrics } from '../ingest/metrics.ts';
import { systemClock } from '../kernel/clock.ts';
import { createShareMetrics } from '../limits/shares/share-metrics.ts';
import { createClockMetrics } from '../platform/clock-metrics.ts';
import { createMetrics } from '../platform/metrics.ts';
import { createPoolMetrics } from '../platform/postgres/pool-metrics.ts';
import { createRedirectMetrics } from '../redirect/metrics.ts';
import { createScanMetrics } from '../scans/metrics.ts';
import { createSpoolsLeftMetrics } from '../scans/spool/left-behind-watch.ts';
import { createDispatcherMetrics } from '../webhooks/delivery/metrics.ts';
import { createScanPublisherMetrics } from '../webhooks/delivery/scan-publisher-metrics.ts';

/** A metric as Prometheus sees it, and which roles export it. */
export type MetricEntry = {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly roles: string;
};

type RegisteredMetric = { name: string; help: string; type: string; labelNames?: readonly string[] };

/** Which roles register which metrics. A test fails for a metric that is missing here. */
const registrations: readonly (readonly [roles: string, register: (registry: Registry) => void])[] = [
  ['every', registry => createClockMetrics(registry, { skewMs: () => null })],
  ['every', registry => createPoolMetrics(registry)],
  [
    'redirect, all',
    registry => {
      createRedirectMetrics(registry, {
        lease: { isGood: () => false, renewedMsAgo: () => 0, timesLost: 0 },
        changes: { epoch: 0, applied: 0, caughtUp: 0 },
        links: {
          size: 0,
          lookupCounts: { memory: 0, database: 0, last_known: 0, filter: 0, busy: 0, away: 0 },
        },
        watch: { silentMs: () => 0 },
        gate: { waiting: 0 },
        filter: { bytes: 0 },
        snapshot: { ageSeconds: () => 0 },
        times: { read: () => [] },
        roundTripsMs: { postgres: () => null, redis: () => null },
      });
      const spooled = () => ({ bytes: 0, scans: 0, segments: 0, oldestAtMs: null });
      const held = () => ({ scans: 0, bytes: 0, maxBytes: 0 });
      const writer = { pending: () => 0, roundTripMs: () => null, spooled, held };
      createScanMetrics(registry, writer, systemClock, 0, { freeBytes: () => 0 }, { bytes: () => 0 });
    },
  ],
  [
    'ingest, all',
    registry => {
      createIngestMetrics(registry);
      createLagMetrics(registry);
      createSpoolsLeftMetrics(registry);
      createBackupMetrics(registry);
      createErasureMetrics(registry);
      createTrimMetrics(registry);
      createScanPublisherMetrics(registry);
    },
  ],
  ['redirect, ingest, all', registry => createStreamMetrics(registry)],
  ['deliver, all', registry => createDispatcherMetrics(registry)],
  ['api, all', registry => createShareMetrics(registry)],
];

export function metricList(): readonly MetricEntry[] {
  return [
    ...listEntries(createMetrics('any').registry, 'every'),
    ...registrations.flatMap(([roles, register]) => {
      const registry = new Registry();
      register(registry);
      return listEntries(registry, roles);
    }),
  ];
}

function listEntries(registry: Registry, roles: string): MetricEntry[] {
  return (registry.getMetricsAsArray() as unknown as RegisteredMetric[]).map(metric => ({
    name: metric.name,
    type: metric.type,
    help: metric.help,
    labels: metric.labelNames ?? [],
    roles,
  }));
}

/** The page docs/self-hosting/metrics.md. */
export function describeMetrics(): string {
  const rows = metricList()
    .filter(({ name }) => name.startsWith('signpost_'))
    .map(({ name, type, help, labels, roles }) => {
      const labelNames = labels.map(label => `\`${label}\``).join(', ');
      return `| \`${name}\` | ${type} | ${labelNames} | ${roles} | ${help} |`;
    });
  return [
    '# Metrics',
    '',
    'Each process serves these at `/metrics` on `METRICS_PORT`, with the label `role`. `npm run generate` writes this page',
    'from the code. Each process also serves the metrics of Node, `process_*` and `nodejs_*`: among them',
    '`nodejs_eventloop_lag_p99_seconds`, which shows how long the event loop is blocked.',
    '[operations.md](operations.md) says which of them to watch and why.',
    '',
    '| Metric | Type | Labels | Roles | Meaning |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
