import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What the process tells Prometheus. */
export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics(role: string) {
  const registry = new Registry();
  registry.setDefaultLabels({ role });
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requests: new Histogram({
      name: 'signpost_http_request_seconds',
      help: 'Time to answer, by route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers: [registry],
    }),
    limitedByProcess: new Counter({
      name: 'signpost_rate_limit_without_redis_total',
      help: 'Requests counted by the process alone because Redis did not answer.',
      registers: [registry],
    }),
    scans: new Counter({
      name: 'signpost_scans_total',
      help: 'Scans, by where they were when the scanner was sent on.',
      labelNames: ['kept'],
      registers: [registry],
    }),
    notCounted: new Counter({
      name: 'signpost_not_counted_total',
      help: 'Requests for active codes that are no scans, by reason.',
      labelNames: ['reason'],
      registers: [registry],
    }),
    lonelyVisitors: new Counter({
      name: 'signpost_lonely_visitors_total',
      help: 'Scans whose visitor only this process knows, because the salt could not be read.',
      registers: [registry],
    }),
    pages: new Counter({
      name: 'signpost_blocked_hits_total',
      help: 'Short links that were not sent on, by what was shown instead; preview: where the code leads, asked for by a + behind the link.',
      labelNames: ['page'],
      registers: [registry],
    }),
    imagesShed: new Counter({
      name: 'signpost_images_shed_total',
      help: 'Images that were not drawn because too many were waiting.',
      registers: [registry],
    }),
    mails: new Counter({
      name: 'signpost_mails_total',
      help: 'Mails to people, by what they are about and what became of them: sent, failed, or shed because too many were waiting or one person had got enough.',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    }),
    spansDropped: new Counter({
      name: 'signpost_spans_dropped_total',
      help: 'Parts of traces that the collector did not take.',
      registers: [registry],
    }),
    idempotencyKeysRemoved: new Counter({
      name: 'signpost_idempotency_keys_removed_total',
      help: 'Idempotency keys removed after their day.',
      registers: [registry],
    }),
  };
}

/** A figure that is looked up whenever Prometheus asks. */
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

/** A figure that only grows, counted elsewhere and looked up whenever Prometheus asks; with a label, one for each of its words. */
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
      else for (const [word, value] of Object.entries(values)) this.inc({ [label!]: word }, value);
    },
  });
}
