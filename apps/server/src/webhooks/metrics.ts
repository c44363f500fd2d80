import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { DisabledReason, WaitReason } from './webhook.ts';

/** What the courier tells of its work. */
export type CourierCounters = {
  tried(outcome: string): void;
  /** How long after the event its first try began. */
  firstTry(ms: number): void;
  parked(): void;
  /** Put off by a limit, for so long. */
  heldBack(reason: WaitReason, ms: number): void;
  /** How long a try waits in memory for its moment. */
  waited(ms: number): void;
  disabled(reason: DisabledReason, endpoints: number): void;
  places(inUse: number, mostOfOne: number): void;
};

/** How much waits: in the queue, and in PostgreSQL with the age of the oldest that is due. */
export type Backlog = {
  readonly queued: number;
  readonly due: number;
  readonly oldestDueSeconds: number;
  /** Not due, since a limit holds them back. */
  readonly heldBack: Readonly<Record<WaitReason, number>>;
};

export function createCourierMetrics(registry: Registry) {
  const registers = [registry];
  const tries = new Counter({
    name: 'signpost_webhook_attempts_total',
    help: 'Tries to deliver, by what came of them.',
    labelNames: ['outcome'],
    registers,
  });
  const firstTries = new Histogram({
    name: 'signpost_webhook_first_try_seconds',
    help: 'From the event to its first try.',
    buckets: [0.05, 0.1, 0.2, 0.3, 0.5, 1, 1.5, 3, 10, 60, 600],
    registers,
  });
  const parkings = new Counter({
    name: 'signpost_webhook_parked_total',
    help: 'Events that went to PostgreSQL untried because their endpoint had no place.',
    registers,
  });
  const heldBack = new Counter({
    name: 'signpost_webhook_held_back_total',
    help: 'Tries that were put off: by the rate of their host, or because their endpoint has had no success yet.',
    labelNames: ['reason'],
    registers,
  });
  const waits = new Histogram({
    name: 'signpost_webhook_rate_wait_seconds',
    help: 'How long a try was told to wait when it asked for its turn: 0 where it went at once.',
    buckets: [0.001, 0.01, 0.1, 0.5, 1, 5, 30, 60, 300, 1800, 3600],
    registers,
  });
  const waiting = new Gauge({
    name: 'signpost_webhook_held_back',
    help: 'Messages in PostgreSQL that a limit holds back (counted up to 10,000 of each).',
    labelNames: ['reason'],
    registers,
  });
  const shared = new Gauge({
    name: 'signpost_webhook_rates_shared',
    help: '1 while Redis keeps the rates of hosts for all processes, 0 while this one keeps them by itself.',
    registers,
  });
  shared.set(1);
  const disabled = new Counter({
    name: 'signpost_webhook_endpoints_disabled_total',
    help: 'Endpoints that were disabled, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const places = new Gauge({
    name: 'signpost_webhook_places',
    help: 'Tries under way: in all, and the most at one endpoint.',
    labelNames: ['of'],
    registers,
  });
  const backlog = new Gauge({
    name: 'signpost_webhook_backlog',
    help: 'Messages that wait: in the queue, and due in PostgreSQL (counted up to 10,000).',
    labelNames: ['where'],
    registers,
  });
  const age = new Gauge({
    name: 'signpost_webhook_oldest_due_seconds',
    help: 'How long the message in PostgreSQL that has waited longest is overdue.',
    registers,
  });
  const counters: CourierCounters = {
    tried: outcome => tries.inc({ outcome }),
    firstTry: ms => firstTries.observe(ms / 1000),
    parked: () => parkings.inc(),
    heldBack(reason, ms) {
      heldBack.inc({ reason });
      waits.observe(ms / 1000);
    },
    waited: ms => waits.observe(ms / 1000),
    disabled: (reason, endpoints) => disabled.inc({ reason }, endpoints),
    places(inUse, mostOfOne) {
      places.set({ of: 'all' }, inUse);
      places.set({ of: 'one' }, mostOfOne);
    },
  };
  return {
    counters,
    shared: (isShared: boolean) => shared.set(isShared ? 1 : 0),
    backlog({ queued, due, oldestDueSeconds, heldBack: held }: Backlog): void {
      backlog.set({ where: 'queue' }, queued);
      backlog.set({ where: 'postgres' }, due);
      age.set(oldestDueSeconds);
      waiting.set({ reason: 'host_rate' }, held.host_rate);
      waiting.set({ reason: 'first_success' }, held.first_success);
    },
  };
}
