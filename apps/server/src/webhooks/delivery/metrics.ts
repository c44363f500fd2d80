import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { DisabledReason, WaitReason } from '../webhook.ts';

/** What the dispatcher reports of its work. */
export type DispatcherCounters = {
  attempted(outcome: string): void;
  /** The time from the event to its first attempt. */
  firstAttempt(ms: number): void;
  deferred(): void;
  /** Deferred by a rate limit, for this long. */
  throttled(reason: WaitReason, ms: number): void;
  /** The wait in memory until a reserved time. */
  rateWait(ms: number): void;
  disabled(reason: DisabledReason, endpoints: number): void;
  inFlight(all: number, busiestEndpoint: number): void;
};

/** Messages that wait: in the queue, and in PostgreSQL with the age of the oldest that is due. */
export type Backlog = {
  readonly queued: number;
  readonly due: number;
  readonly oldestDueSeconds: number;
  /** Not due yet, because of a rate limit. */
  readonly throttled: Readonly<Record<WaitReason, number>>;
};

export function createDispatcherMetrics(registry: Registry) {
  const registers = [registry];
  const attempts = new Counter({
    name: 'signpost_webhook_attempts_total',
    help: 'Delivery attempts, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const firstAttempts = new Histogram({
    name: 'signpost_webhook_first_attempt_seconds',
    help: 'Time from an event to the first attempt to deliver it.',
    buckets: [0.05, 0.1, 0.2, 0.3, 0.5, 1, 1.5, 3, 10, 60, 600],
    registers,
  });
  const deferrals = new Counter({
    name: 'signpost_webhook_dispatch_deferred_total',
    help: 'Events moved to PostgreSQL before their first attempt, because their endpoint had no free slot.',
    registers,
  });
  const throttlings = new Counter({
    name: 'signpost_webhook_throttled_total',
    help: "Attempts postponed by a rate limit: their host's, or the one of endpoints without a success.",
    labelNames: ['reason'],
    registers,
  });
  const rateWaits = new Histogram({
    name: 'signpost_webhook_rate_wait_seconds',
    help: 'Time that an attempt waits for its rate limit, 0 where it may be sent at once.',
    buckets: [0.001, 0.01, 0.1, 0.5, 1, 5, 30, 60, 300, 1800, 3600],
    registers,
  });
  const throttled = new Gauge({
    name: 'signpost_webhook_throttled',
    help: 'Messages in PostgreSQL that wait for a rate limit, by reason (counted up to 10,000 each).',
    labelNames: ['reason'],
    registers,
  });
  const shared = new Gauge({
    name: 'signpost_webhook_rates_shared',
    help: '1 while Redis limits the rates of hosts for all processes, 0 while this process limits them alone.',
    registers,
  });
  shared.set(1);
  const disabled = new Counter({
    name: 'signpost_webhook_endpoints_disabled_total',
    help: 'Endpoints disabled by Signpost, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const inFlight = new Gauge({
    name: 'signpost_webhooks_in_flight',
    help: 'Attempts in flight: all, and those at the busiest endpoint.',
    labelNames: ['scope'],
    registers,
  });
  const backlog = new Gauge({
    name: 'signpost_webhook_backlog',
    help: 'Messages that wait: in the queue, and due in PostgreSQL (counted up to 10,000).',
    labelNames: ['where'],
    registers,
  });
  const oldestDue = new Gauge({
    name: 'signpost_webhook_oldest_due_seconds',
    help: 'How long the oldest due message in PostgreSQL is overdue.',
    registers,
  });
  const counters: DispatcherCounters = {
    attempted: outcome => attempts.inc({ outcome }),
    firstAttempt: ms => firstAttempts.observe(ms / 1000),
    deferred: () => deferrals.inc(),
    throttled(reason, ms) {
      throttlings.inc({ reason });
      rateWaits.observe(ms / 1000);
    },
    rateWait: ms => rateWaits.observe(ms / 1000),
    disabled: (reason, endpoints) => disabled.inc({ reason }, endpoints),
    inFlight(all, busiestEndpoint) {
      inFlight.set({ scope: 'all' }, all);
      inFlight.set({ scope: 'busiest_endpoint' }, busiestEndpoint);
    },
  };
  return {
    counters,
    shared: (isShared: boolean) => shared.set(isShared ? 1 : 0),
    backlog(state: Backlog): void {
      backlog.set({ where: 'queue' }, state.queued);
      backlog.set({ where: 'postgres' }, state.due);
      oldestDue.set(state.oldestDueSeconds);
      throttled.set({ reason: 'host_rate' }, state.throttled.host_rate);
      throttled.set({ reason: 'first_success' }, state.throttled.first_success);
    },
  };
}
