import type { Clock } from '../kernel/clock.ts';
import { formatId, type Ids, type Uuid } from '../kernel/ids.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres.ts';
import type { Tracer } from '../platform/tracing.ts';
import { createAdmission } from './admission.ts';
import { traceAttempt } from './attempt-trace.ts';
import { createClaimer, tryNeedsMs } from './claimer.ts';
import { createEndpointReader } from './endpoint-reader.ts';
import type { HostRates } from './host-rates.ts';
import { createLines, type Job } from './lines.ts';
import type { CourierCounters } from './metrics.ts';
import { createPlaces, type Kind } from './places.ts';
import type { Queue } from './queue.ts';
import { ackWaitMs } from './queue-stream.ts';
import type { SecretBox } from './secret.ts';
import type { Sender } from './sender.ts';
import { parked, type Settlement, tried } from './settlement.ts';
import { createSettler } from './settler.ts';
import { sign } from './signature.ts';
import { type Endpoint, isTest, type NotSent, type Outcome, takes, type WaitReason } from './webhook.ts';

/** Delivers: first tries from the queue, later ones from PostgreSQL, never more than the places allow. */
export type Courier = {
  start(): void;
  /** Lets the tries under way end, for as long as is given, and writes them down. */
  stop(timeoutMs: number): Promise<void>;
  places(): { readonly inUse: number; readonly mostOfOne: number };
};

export type CourierParts = {
  readonly db: Database;
  readonly queue: Pick<Queue, 'read'>;
  readonly sender: Pick<Sender, 'prepare' | 'send'>;
  readonly rates: HostRates;
  readonly box: Pick<SecretBox, 'open'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly counters: CourierCounters;
  readonly places: number;
  readonly claimEveryMs?: number;
  readonly tracer?: Tracer | undefined;
};

/** Events that wait in memory: of one endpoint, of all; and for how long, before they go to PostgreSQL. */
const [mostInLine, mostInLines, longestWaitMs] = [50, 1_000, 1_000];
const sweepEveryMs = 250;
const mostUnwritten = 10_000;
/** Jobs that wait for the moment that their host's rate gives them, of all endpoints. */
const mostPaced = 5_000;
const quickMs = 1_000;
/** A secret that cannot be opened is the operator's to mend; until then its messages wait. */
const unreadableMs = 60_000;

export function createCourier(parts: CourierParts): Courier {
  const { db, queue, sender, rates, box, clock, ids, logger, counters, tracer } = parts;
  const stopping = new AbortController();
  const ended = new AbortController();
  const places = createPlaces(parts.places);
  const lines = createLines(places);
  const onTrouble = (error: unknown) => logger.warn({ err: error }, 'webhooks interrupted');
  const settler = createSettler({
    db,
    clock,
    logger,
    signal: ended.signal,
    onDisabled(reason, endpoints) {
      counters.disabled(reason, endpoints);
      logger.info({ reason, endpoints }, 'webhook endpoints disabled');
    },
  });
  const endpoints = createEndpointReader(db, ended.signal, onTrouble);
  /** Endpoints whose last try ended well and soon. Bounded: what it forgets is only fetched a little slower. */
  const quick = new Map<Uuid, true>();
  const underWay = new Map<Uuid, Kind>();
  const admission = createAdmission({
    rates,
    read: endpoints.read,
    onReady: enqueue,
    onRefused: putOff,
    onLost(job, error) {
      onTrouble(error);
      underWay.delete(job.message.id);
    },
    onWait: ms => counters.waited(ms),
  });
  const claimer = createClaimer({
    db,
    clock,
    places,
    lines,
    paced: admission.lengthOf,
    isQuick: id => quick.has(id),
    onJob: accept,
    onTrouble,
    everyMs: parts.claimEveryMs ?? 500,
  });
  let drained = Promise.withResolvers<void>();
  let running: Promise<unknown> = Promise.resolve();

  function accept(job: Job): void {
    const { id } = job.message;
    // It came again while it is still being tried: the try acks it. What PostgreSQL holds the queue need not.
    if (underWay.get(id) === 'stored') job.ack();
    if (underWay.has(id)) return;
    underWay.set(id, job.kind);
    // Without a place at its endpoint, to ask for a moment would take one from those that have.
    if (hasNoPlace(job) || admission.length() >= mostPaced) enqueue(job);
    else admission.admit(job);
  }

  function enqueue(job: Job): void {
    if (job.kind === 'live' && isFull(job.message.endpointId)) void settle(parked(job, clock.now()));
    else lines.add(job);
    startAll();
  }

  const isFull = (endpointId: Uuid) =>
    lines.length() >= mostInLines || lines.lengthOf(endpointId) >= mostInLine;

  const hasNoPlace = ({ kind, message: { endpointId } }: Job) =>
    lines.lengthOf(endpointId) > 0 && places.free(kind, endpointId) <= 0;

  function putOff(job: Job, waitMs: number, reason: WaitReason): void {
    counters.heldBack(reason, waitMs);
    void settle(parked(job, new Date(clock.now().getTime() + Math.ceil(waitMs)), reason));
  }

  function startAll(): void {
    if (stopping.signal.aborted) return;
    for (let job = lines.next(); job; job = lines.next()) void carry(job);
  }

  async function carry(job: Job): Promise<void> {
    const { endpointId, id } = job.message;
    let settlement: Settlement | 'too late' | 'not now' = 'too late';
    try {
      settlement = await attempt(job);
    } catch (error) {
      onTrouble(error);
    }
    places.give(endpointId, job.kind);
    if (settlement === 'not now') admission.admit(job);
    else if (settlement === 'too late') underWay.delete(id);
    else void settle(settlement);
    if (lines.length() > 0) startAll();
    if (job.kind === 'stored' && lines.lengthOf(endpointId) === 0) claimer.wake();
    drained.resolve();
  }

  /**
   * Too late: there is no time left to try it before somebody else may. Not now: it has no moment, or one that is over, or
   * the endpoint has moved to another host since.
   */
  async function attempt(job: Job): Promise<Settlement | 'too late' | 'not now'> {
    const startedMs = performance.now();
    if (job.oursUntilMs - startedMs < tryNeedsMs) return 'too late';
    // Before anything is read for it.
    if (admission.isOver(job)) return 'not now';
    const endpoint = await endpoints.read(job.message.endpointId);
    if (!endpoint) return { kind: 'dropped', job };
    const unsent = !endpoint.enabled ? 'disabled' : takes(endpoint, job.message) ? null : 'event_removed';
    if (unsent) return tried(job, notSent(clock.now(), unsent), ids.next(), clock.now());
    const secrets = openSecrets(endpoint);
    if (!secrets) return parked(job, new Date(clock.now().getTime() + unreadableMs));
    admission.note(endpoint, performance.now() - startedMs);
    // Ahead of its moment: a name server that answers late must not be able to gather tries.
    const refusal = await sender.prepare(endpoint.url);
    if (job.oursUntilMs - performance.now() < tryNeedsMs) return 'too late';
    if (!refusal && !(await admission.covers(job, endpoint))) return 'not now';
    const { id, body, createdAt } = job.message;
    const headers = sign(formatId('msg', id), clock.now(), body, secrets, { isTest: isTest(job.message) });
    if (job.attempts === 0) counters.firstTry(clock.now().getTime() - createdAt.getTime());
    const endTrace = traceAttempt(tracer, job);
    const outcome = refusal ?? (await sender.send(endpoint.url, headers, body));
    endTrace?.(outcome);
    counters.tried(outcome.error ?? 'delivered');
    noteSpeed(endpoint.id, outcome);
    const settlement = tried(job, outcome, ids.next(), clock.now());
    if (endpoint.provenAt !== null || outcome.error !== null) return settlement;
    return { ...settlement, provenUrl: endpoint.url };
  }

  function openSecrets(endpoint: Endpoint): Buffer[] | null {
    try {
      return secretsAt(endpoint, clock.now()).map(sealed => box.open(sealed));
    } catch (error) {
      logger.error({ err: error, endpoint: formatId('whk', endpoint.id) }, 'webhook secret cannot be opened');
      return null;
    }
  }

  function noteSpeed(id: Uuid, { error, durationMs }: Outcome): void {
    quick.delete(id);
    if (error === null && durationMs < quickMs) quick.set(id, true);
    if (quick.size > 10_000) quick.delete(quick.keys().next().value!);
  }

  async function settle(settlement: Settlement): Promise<void> {
    const { job } = settlement;
    // It ended too late to be written down: it comes again.
    if (ended.signal.aborted) return;
    try {
      await settler.settle(settlement);
      job.ack();
      noteSettled(settlement);
    } catch (error) {
      // Not acked: it comes again.
      onTrouble(error);
    }
    underWay.delete(job.message.id);
    drained.resolve();
  }

  function noteSettled(settlement: Settlement): void {
    const { job } = settlement;
    if (settlement.kind === 'tried' && settlement.provenUrl !== null)
      admission.forget(job.message.endpointId);
    if (settlement.kind !== 'parked') return;
    const isHeldBack = settlement.after.waitingFor !== null;
    if (!isHeldBack) counters.parked();
    // What is held back is not due: only where it was claimed there may be more behind it.
    if (!isHeldBack || job.kind === 'stored') claimer.wake();
  }

  async function pull(): Promise<void> {
    for await (const { message, ack } of queue.read(stopping.signal, onTrouble)) {
      const oursUntilMs = performance.now() + ackWaitMs;
      accept({ message, kind: 'live', tries: 0, attempts: 0, oursUntilMs, slot: null, ack });
      while (
        settler.backlog() + lines.length() + admission.length() > mostUnwritten &&
        !stopping.signal.aborted
      )
        await anyDone();
    }
  }

  function anyDone(): Promise<void> {
    drained = Promise.withResolvers();
    return drained.promise;
  }

  function sweep(): void {
    for (const job of lines.takeOlder(performance.now() - longestWaitMs))
      void settle(parked(job, clock.now()));
    counters.places(places.inUse(), places.mostOfOne());
  }

  return {
    start() {
      const sweeper = setInterval(sweep, sweepEveryMs);
      stopping.signal.addEventListener('abort', () => clearInterval(sweeper), { once: true });
      running = Promise.all([pull(), claimer.run(stopping.signal)]);
    },
    async stop(timeoutMs) {
      stopping.abort();
      drained.resolve();
      await running;
      const endsAt = performance.now() + timeoutMs;
      while (places.inUse() + settler.backlog() > 0 && performance.now() < endsAt) {
        const late = setTimeout(() => drained.resolve(), endsAt - performance.now());
        await anyDone();
        clearTimeout(late);
      }
      ended.abort();
    },
    places: () => ({ inUse: places.inUse(), mostOfOne: places.mostOfOne() }),
  };
}

/** The secrets that sign at this moment: the new one, and for its time the old one. */
export function secretsAt({ secret, oldSecret, oldSecretUntil }: Endpoint, now: Date): Buffer[] {
  return oldSecret && oldSecretUntil && now < oldSecretUntil ? [secret, oldSecret] : [secret];
}

const notSent = (at: Date, error: NotSent): Outcome => ({
  at,
  durationMs: 0,
  responseStatus: null,
  error,
  response: '',
  retryAfterSeconds: null,
});
