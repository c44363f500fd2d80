import { Counter, type Registry } from 'prom-client';
import { type UnsentReason, unsentReasons } from './queue/queue-publisher.ts';

/** What the scan publisher reports to Prometheus. */
export function createScanPublisherMetrics(registry: Registry) {
  const counter = new Counter({
    name: 'signpost_webhook_deferred_total',
    help: 'Webhooks published to PostgreSQL instead of the queue in NATS, because the queue was full for their account or for all, did not answer in time, was too slow to take all of them, or was away.',
    labelNames: ['reason'],
    registers: [registry],
  });
  for (const reason of unsentReasons) counter.inc({ reason }, 0);
  return { deferred: (reason: UnsentReason, messages: number) => counter.inc({ reason }, messages) };
}
