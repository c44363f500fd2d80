import {
  type AttemptError,
  type AttemptResult,
  type DeliveryStatus,
  isNotSent,
  type WaitReason,
} from '../../webhook.ts';
import type { Job } from '../job.ts';
import { nextAttemptAt } from './retry-schedule.ts';

/** What is to be written about a job: an attempt, a deferral without one, or that its endpoint is gone. */
export type Outcome =
  | {
      readonly kind: 'attempted';
      readonly job: Job;
      readonly result: AttemptResult;
      readonly update: MessageUpdate;
      /** The URL at which this was the endpoint's first success. */
      readonly provenUrl: string | null;
    }
  | { readonly kind: 'deferred'; readonly job: Job; readonly update: MessageUpdate }
  | { readonly kind: 'dropped'; readonly job: Job };

/** The message afterwards. */
type MessageUpdate = {
  readonly status: DeliveryStatus;
  readonly roundAttempts: number;
  readonly attempts: number;
  readonly nextAt: Date | null;
  readonly lastAt: Date | null;
  readonly responseStatus: number | null;
  readonly error: AttemptError | null;
  readonly waitingFor: WaitReason | null;
};

type Attempted = Extract<Outcome, { kind: 'attempted' }>;

const gone = 410;

/**
 * An attempt and what follows from it. A 410 and a message that was not sent end the delivery; any other failure is
 * retried by the schedule.
 */
export function attempted(job: Job, result: AttemptResult, now: Date, random = Math.random): Attempted {
  const { at, responseStatus, error, retryAfterSeconds } = result;
  const roundAttempts = job.roundAttempts + 1;
  const attempts = job.attempts + 1;
  const isFinal = error === null || isNotSent(error) || responseStatus === gone;
  const nextAt = isFinal ? null : nextAttemptAt(roundAttempts, now, retryAfterSeconds, random);
  const status = error === null ? 'delivered' : nextAt === null ? 'failed' : 'pending';
  const update = { status, roundAttempts, attempts, nextAt, lastAt: at, responseStatus, error } as const;
  return { kind: 'attempted', job, result, update: { ...update, waitingFor: null }, provenUrl: null };
}

/** The job cannot be attempted now and waits in PostgreSQL. That does not count as an attempt. */
export const deferred = (job: Job, nextAt: Date, waitingFor: WaitReason | null = null): Outcome => ({
  kind: 'deferred',
  job,
  update: {
    status: 'pending',
    roundAttempts: job.roundAttempts,
    attempts: job.attempts,
    nextAt,
    lastAt: null,
    responseStatus: null,
    error: null,
    waitingFor,
  },
});

/** Whether the receiver said that it wants nothing more. */
export const isGone = (outcome: Outcome): boolean =>
  outcome.kind === 'attempted' && outcome.update.responseStatus === gone;
