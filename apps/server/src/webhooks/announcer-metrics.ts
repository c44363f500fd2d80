import { Counter, type Registry } from 'prom-client';
import { type UnsentReason, unsentReasons } from './queue-publisher.ts';

/** What the announcer tells Prometheus. */
export function createAnnouncerMetrics(registry: Registry) {
  const counter = new Counter({
    name: 'signpost_webhook_deferred_total',
    help: 'Webhooks that went into PostgreSQL at once, since the queue in NATS was full for their account or for all, did not answer in time, was too slow for all of them, or was away.',
    labelNames: ['reason'],
    registers: [registry],
  });
  for (const reason of unsentReasons) counter.inc({ reason }, 0);
  return { deferred: (reason: UnsentReason, messages: number) => counter.inc({ reason }, messages) };
}
