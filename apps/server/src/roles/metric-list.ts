import { Registry } from 'prom-client';
import { createBackupMetrics } from '../backup/metrics.ts';
import { createErasureMetrics } from '../ingest/erasure-metrics.ts';
import { createLagMetrics } from '../ingest/lag-metrics.ts';
import { createIngestMetrics } from '../ingest/metrics.ts';
import { createStreamMetrics, createTrimMetrics } from '../ingest/stream-metrics.ts';
import { systemClock } from '../kernel/clock.ts';
import { createShareMetrics } from '../limits/share-metrics.ts';
import { createClockMetrics } from '../platform/clock-metrics.ts';
import { createMetrics } from '../platform/metrics.ts';
import { createPoolMetrics } from '../platform/pool-metrics.ts';
import { createRedirectMetrics } from '../redirect/metrics.ts';
import { createScanMetrics } from '../scans/metrics.ts';
import { createSpoolsLeftMetrics } from '../scans/spools-left-watch.ts';
import { createAnnouncerMetrics } from '../webhooks/announcer-metrics.ts';
import { createCourierMetrics } from '../webhooks/metrics.ts';

/** A metric as Prometheus sees it, and which roles tell it. */
export type MetricEntry = {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly roles: string;
};

type Described = { name: string; help: string; type: string; labelNames?: readonly string[] };

/** Who makes metrics, and in which roles; a metric that is made elsewhere is missed by a test. */
const makers: readonly (readonly [roles: string, make: (registry: Registry) => void])[] = [
  ['every', registry => createClockMetrics(registry, { skewMs: () => null })],
  ['every', registry => createPoolMetrics(registry)],
  [
    'redirect, all',
    registry => {
      createRedirectMetrics(registry, {
        lease: { isGood: () => false, renewedMsAgo: () => 0, timesLost: 0 },
        links: {
          size: 0,
          lookUpCounts: { memory: 0, database: 0, last_known: 0, filter: 0, busy: 0, away: 0 },
        },
        watch: { silentMs: () => 0 },
        gate: { waiting: 0 },
        filter: { bytes: 0 },
        snapshot: { ageSeconds: () => 0 },
        times: { read: () => [] },
      });
      const spooled = () => ({ bytes: 0, scans: 0, segments: 0, lostBatches: 0, oldestAtMs: null });
      createScanMetrics(registry, { pending: () => 0, spooled }, systemClock, 0, { freeBytes: () => 0 });
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
      createAnnouncerMetrics(registry);
    },
  ],
  ['redirect, ingest, all', registry => createStreamMetrics(registry)],
  ['deliver, all', registry => createCourierMetrics(registry)],
  ['api, all', registry => createShareMetrics(registry)],
];

export function metricList(): readonly MetricEntry[] {
  return [
    ...entriesOf(createMetrics('any').registry, 'every'),
    ...makers.flatMap(([roles, make]) => {
      const registry = new Registry();
      make(registry);
      return entriesOf(registry, roles);
    }),
  ];
}

function entriesOf(registry: Registry, roles: string): MetricEntry[] {
  return (registry.getMetricsAsArray() as unknown as Described[]).map(metric => ({
    name: metric.name,
    type: metric.type,
    help: metric.help,
    labels: metric.labelNames ?? [],
    roles,
  }));
}

/** The page of all metrics of ours, for the docs. */
export function describeMetrics(): string {
  const rows = metricList()
    .filter(({ name }) => name.startsWith('signpost_'))
    .map(({ name, type, help, labels, roles }) => {
      const words = labels.length > 0 ? labels.map(label => `\`${label}\``).join(', ') : '';
      return `| \`${name}\` | ${type} | ${words} | ${roles} | ${help} |`;
    });
  return [
    '# Metrics',
    '',
    'Each process serves these at `/metrics` on `METRICS_PORT`, with the label `role`. This page is made by',
    '`npm run generate` from the code. Besides, there are those of Node: `process_*` and `nodejs_*`, of which',
    '`nodejs_eventloop_lag_p99_seconds` tells how long the event loop is held up.',
    '[operations.md](operations.md) says which of them to watch and why.',
    '',
    '| Metric | Type | Labels | Roles | What it tells |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
