import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics of a process for Prometheus. */
export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics(role: string) {
  const registry = new Registry();
  registry.setDefaultLabels({ role });
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requests: new Histogram({
      name: 'signpost_http_request_seconds',
      help: 'Duration of HTTP requests, by route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers: [registry],
    }),
    limitedByProcess: new Counter({
      name: 'signpost_rate_limit_without_redis_total',
      help: 'Requests that the process counted on its own because Redis did not answer.',
      registers: [registry],
    }),
    scans: new Counter({
      name: 'signpost_scans_total',
      help: 'Scans, by where they were stored when the visitor was redirected.',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    notCounted: new Counter({
      name: 'signpost_not_counted_total',
      help: 'Requests for active codes that do not count as scans, by reason.',
      labelNames: ['reason'],
      registers: [registry],
    }),
    visitorsWithoutSalt: new Counter({
      name: 'signpost_visitors_without_salt_total',
      help: 'Scans whose visitor is known to this process only, because the salt could not be read.',
      registers: [registry],
    }),
    pages: new Counter({
      name: 'signpost_not_redirected_total',
      help: 'Requests for short links that were not redirected, by what was shown instead; preview: the target, requested by a + at the end of the link.',
      labelNames: ['page'],
      registers: [registry],
    }),
    mails: new Counter({
      name: 'signpost_mails_total',
      help: 'Mails to users, by kind and outcome: sent, failed, or shed because too many were waiting or the user had received enough.',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    }),
    spansDropped: new Counter({
      name: 'signpost_spans_dropped_total',
      help: 'Trace spans that were not sent to the collector.',
      registers: [registry],
    }),
    idempotencyKeysRemoved: new Counter({
      name: 'signpost_idempotency_keys_removed_total',
      help: 'Expired idempotency keys removed.',
      registers: [registry],
    }),
  };
}

/** A gauge whose value is read on every scrape. */
export function addGauge(registry: Registry, name: string, help: string, value: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(value());
    },
  });
}

/** A counter whose value is counted elsewhere and read on every scrape; with a label, one value per label value. */
export function addCounter(registry: Registry, name: string, help: string, value: () => number): void;
export function addCounter(
  registry: Registry,
  name: string,
  help: string,
  values: () => Readonly<Record<string, number>>,
  label: string,
): void;
export function addCounter(
  registry: Registry,
  name: string,
  help: string,
  read: () => number | Readonly<Record<string, number>>,
  label?: string,
): void {
  new Counter({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    collect() {
      this.reset();
      const values = read();
      if (typeof values === 'number') this.inc(values);
      else
        for (const [labelValue, value] of Object.entries(values)) this.inc({ [label!]: labelValue }, value);
    },
  });
}
