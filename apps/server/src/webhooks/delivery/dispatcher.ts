import type { Clock } from '../../kernel/clock.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { throttle } from '../../kernel/running/throttle.ts';
import { runEvery } from '../../platform/background-jobs.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { Tracer } from '../../platform/tracing.ts';
import type { SecretCipher } from '../secret.ts';
import type { WaitReason } from '../webhook.ts';
import { type AttemptRunner, createAttemptRunner, type NotAttempted } from './attempts/attempt-runner.ts';
import { deferred, type Outcome } from './attempts/outcome.ts';
import { createOutcomeWriter, type OutcomeWriter } from './attempts/outcome-writer.ts';
import { createRetryPoller, type RetryPoller } from './attempts/retry-poller.ts';
import type { Sender } from './attempts/sender.ts';
import type { Job, JobSource } from './job.ts';
import type { DispatcherCounters } from './metrics.ts';
import { createEndpointQueues, type EndpointQueues } from './queue/endpoint-queues.ts';
import { createEndpointReader } from './queue/endpoint-reader.ts';
import type { Queue } from './queue/queue.ts';
import { ackWaitMs } from './queue/queue-stream.ts';
import { type ConcurrencyLimiter, createConcurrencyLimiter } from './rates/concurrency-limiter.ts';
import { createFastEndpoints } from './rates/fast-endpoints.ts';
import type { HostRateLimiter } from './rates/host-rate-limiter.ts';
import { createRateScheduler, type RateScheduler } from './rates/rate-scheduler.ts';

export type DispatcherParts = {
  readonly db: Database;
  readonly queue: Pick<Queue, 'read'>;
  readonly sender: Pick<Sender, 'prepare' | 'send'>;
  readonly rateLimiter: HostRateLimiter;
  readonly cipher: Pick<SecretCipher, 'decrypt'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly counters: DispatcherCounters;
  /** Attempts that this process has in flight at most. */
  readonly concurrency: number;
  readonly pollEveryMs?: number;
  readonly tracer?: Tracer | undefined;
};

/** New events in memory: of one endpoint, of all; and how long they wait before they are deferred to PostgreSQL. */
const [maxQueuedPerEndpoint, maxQueued, maxQueuedMs] = [50, 1_000, 1_000];
/** Jobs of all endpoints that wait for a reservation at their host. */
const maxScheduled = 5_000;
/** Jobs in memory past which nothing is read from the queue. */
const maxBacklog = 10_000;
const sweepEveryMs = 250;
const defaultPollEveryMs = 500;

/**
 * Delivers messages: first attempts from the queue, later ones from PostgreSQL, within the limits of concurrency and of
 * each host's rate. A message is acked only once its outcome is written, so a crash repeats an attempt and loses none.
 *
 * A job goes from #accept to the rate scheduler, to its endpoint's queue, to #attempt, and ends in #write.
 */
export class Dispatcher {
  readonly #queue: Pick<Queue, 'read'>;
  readonly #clock: Clock;
  readonly #logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly #counters: DispatcherCounters;
  readonly #limiter: ConcurrencyLimiter;
  readonly #endpointQueues: EndpointQueues;
  readonly #rateScheduler: RateScheduler;
  readonly #attemptRunner: AttemptRunner;
  readonly #outcomeWriter: OutcomeWriter;
  readonly #retryPoller: RetryPoller;
  /** Aborts when no new job may begin. */
  readonly #stopping = new AbortController();
  /** Aborts when no outcome may be written any more. */
  readonly #ended = new AbortController();
  /** Messages from their arrival until their outcome is written. */
  readonly #inProgress = new Map<Uuid, JobSource>();
  /** Resolves when a job ends. */
  #jobEnded = Promise.withResolvers<void>();
  #running: Promise<unknown> = Promise.resolve();

  constructor(parts: DispatcherParts) {
    const { db, queue, sender, rateLimiter, cipher, clock, logger, counters, tracer } = parts;
    this.#queue = queue;
    this.#clock = clock;
    this.#logger = logger;
    this.#counters = counters;
    this.#limiter = createConcurrencyLimiter(parts.concurrency);
    this.#endpointQueues = createEndpointQueues(this.#limiter);
    const endpoints = createEndpointReader(db, this.#ended.signal, this.#onError);
    const fastEndpoints = createFastEndpoints();
    this.#rateScheduler = createRateScheduler({
      rateLimiter,
      readEndpoint: endpoints.read,
      onReady: job => this.#enqueue(job),
      onThrottled: (job, waitMs, reason) => this.#throttle(job, waitMs, reason),
      onError: (job, error) => this.#giveUp(job, error),
      onWait: ms => counters.rateWait(ms),
    });
    this.#attemptRunner = createAttemptRunner({
      endpoints,
      rateScheduler: this.#rateScheduler,
      sender,
      cipher,
      clock,
      logger,
      counters,
      fastEndpoints,
      tracer,
    });
    this.#outcomeWriter = createOutcomeWriter({
      db,
      clock,
      logger,
      signal: this.#ended.signal,
      onDisabled(reason, count) {
        counters.disabled(reason, count);
        logger.info({ reason, endpoints: count }, 'webhook endpoints disabled');
      },
    });
    this.#retryPoller = createRetryPoller({
      db,
      clock,
      limiter: this.#limiter,
      endpointQueues: this.#endpointQueues,
      countScheduled: this.#rateScheduler.countJobs,
      fastEndpoints,
      onJob: job => this.#accept(job),
      onError: this.#onError,
      everyMs: parts.pollEveryMs ?? defaultPollEveryMs,
    });
  }

  start(): void {
    const { signal } = this.#stopping;
    const stopSweeping = runEvery(sweepEveryMs, () => this.#sweep());
    signal.addEventListener('abort', stopSweeping, { once: true });
    this.#running = Promise.all([this.#readQueue(), this.#retryPoller.run(signal)]);
  }

  /** Waits at most this long for the attempts in flight to end and for their outcomes to be written. */
  async stop(timeoutMs: number): Promise<void> {
    this.#stopping.abort();
    this.#jobEnded.resolve();
    await this.#running;
    const endsAt = performance.now() + timeoutMs;
    while (this.#limiter.inUse() + this.#outcomeWriter.backlog() > 0 && performance.now() < endsAt) {
      const timer = setTimeout(() => this.#jobEnded.resolve(), endsAt - performance.now());
      await this.#nextJobEnd();
      clearTimeout(timer);
    }
    this.#ended.abort();
  }

  /** Attempts in flight: in all, and at the endpoint that has most. */
  inFlight(): { readonly all: number; readonly busiestEndpoint: number } {
    return { all: this.#limiter.inUse(), busiestEndpoint: this.#limiter.busiestEndpoint() };
  }

  async #readQueue(): Promise<void> {
    const { signal } = this.#stopping;
    for await (const { message, ack } of this.#queue.read(signal, this.#onError)) {
      const leaseEndsMs = performance.now() + ackWaitMs;
      const untouched = { roundAttempts: 0, attempts: 0, reservation: null };
      this.#accept({ message, source: 'queue', ...untouched, leaseEndsMs, ack });
      while (this.#backlog() > maxBacklog && !signal.aborted) await this.#nextJobEnd();
    }
  }

  #accept(job: Job): void {
    const { id } = job.message;
    // Delivered again while it is in progress: the first job acks it. What PostgreSQL holds the queue need not hold.
    if (this.#inProgress.get(id) === 'postgres') job.ack();
    if (this.#inProgress.has(id)) return;
    this.#inProgress.set(id, job.source);
    // Without a free slot at its endpoint, a reservation would only be taken from jobs that have one.
    if (this.#hasNoSlot(job) || this.#rateScheduler.length() >= maxScheduled) this.#enqueue(job);
    else this.#rateScheduler.schedule(job);
  }

  #enqueue(job: Job): void {
    if (job.source === 'queue' && this.#isFull(job.message.endpointId)) this.#defer(job);
    else this.#endpointQueues.add(job);
    this.#startAttempts();
  }

  #startAttempts(): void {
    if (this.#stopping.signal.aborted) return;
    for (let job = this.#endpointQueues.next(); job; job = this.#endpointQueues.next())
      void this.#attempt(job);
  }

  async #attempt(job: Job): Promise<void> {
    const { endpointId, id } = job.message;
    let result: Outcome | NotAttempted = 'lease_too_short';
    try {
      result = await this.#attemptRunner.run(job);
    } catch (error) {
      this.#onError(error);
    }
    this.#limiter.release(endpointId, job.source);
    if (result === 'no_reservation') this.#rateScheduler.schedule(job);
    else if (result === 'lease_too_short') this.#inProgress.delete(id);
    else void this.#write(result);
    if (this.#endpointQueues.length() > 0) this.#startAttempts();
    if (job.source === 'postgres' && this.#endpointQueues.countJobs(endpointId) === 0)
      this.#retryPoller.wake();
    this.#jobEnded.resolve();
  }

  async #write(outcome: Outcome): Promise<void> {
    const { job } = outcome;
    // Too late to be written: the message is delivered again.
    if (this.#ended.signal.aborted) return;
    try {
      await this.#outcomeWriter.write(outcome);
      job.ack();
      this.#afterWrite(outcome);
    } catch (error) {
      // Not acked: the message is delivered again.
      this.#onError(error);
    }
    this.#inProgress.delete(job.message.id);
    this.#jobEnded.resolve();
  }

  #afterWrite(outcome: Outcome): void {
    const { kind, job } = outcome;
    if (kind === 'attempted' && outcome.provenUrl !== null)
      this.#rateScheduler.forgetEndpoint(job.message.endpointId);
    if (kind !== 'deferred') return;
    const isThrottled = outcome.update.waitingFor !== null;
    if (!isThrottled) this.#counters.deferred();
    // A throttled message is not due. Where it came from PostgreSQL, there may be others behind it that are.
    if (!isThrottled || job.source === 'postgres') this.#retryPoller.wake();
  }

  /** Moves new events that waited too long for a slot to PostgreSQL, so that they leave the queue. */
  #sweep(): void {
    for (const job of this.#endpointQueues.takeOlder(performance.now() - maxQueuedMs)) this.#defer(job);
    const { all, busiestEndpoint } = this.inFlight();
    this.#counters.inFlight(all, busiestEndpoint);
  }

  #defer(job: Job): void {
    void this.#write(deferred(job, this.#clock.now()));
  }

  #throttle(job: Job, waitMs: number, reason: WaitReason): void {
    this.#counters.throttled(reason, waitMs);
    const nextAt = new Date(this.#clock.now().getTime() + Math.ceil(waitMs));
    void this.#write(deferred(job, nextAt, reason));
  }

  /** Leaves the message to be delivered again when its lease ends. */
  #giveUp(job: Job, error: unknown): void {
    this.#onError(error);
    this.#inProgress.delete(job.message.id);
  }

  #hasNoSlot({ source, message: { endpointId } }: Job): boolean {
    return this.#endpointQueues.countJobs(endpointId) > 0 && this.#limiter.available(source, endpointId) <= 0;
  }

  #isFull(endpointId: Uuid): boolean {
    const queues = this.#endpointQueues;
    return queues.length() >= maxQueued || queues.countJobs(endpointId) >= maxQueuedPerEndpoint;
  }

  #backlog(): number {
    return this.#outcomeWriter.backlog() + this.#endpointQueues.length() + this.#rateScheduler.length();
  }

  #nextJobEnd(): Promise<void> {
    this.#jobEnded = Promise.withResolvers();
    return this.#jobEnded.promise;
  }

  readonly #warn = throttle(10_000);
  readonly #onError = (error: unknown): void =>
    this.#warn(skipped => this.#logger.warn({ err: error, skipped }, 'webhook delivery interrupted'));
}
