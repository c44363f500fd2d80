import type { Uuid } from '../kernel/ids.ts';
import { type AttemptRow, noCode } from './attempt-log.ts';
import type { Job } from './lines.ts';
import { nextTry } from './schedule.ts';
import {
  type AttemptError,
  type DeliveryStatus,
  isNotSent,
  type Outcome,
  type WaitReason,
} from './webhook.ts';

/** What there is to write down about a job: a try, that it goes to PostgreSQL untried, or that nobody wants it any more. */
export type Settlement =
  | {
      readonly kind: 'tried';
      readonly job: Job;
      readonly row: AttemptRow;
      readonly after: After;
      /** The URL at which this was the first success of its endpoint. */
      readonly provenUrl: string | null;
    }
  | { readonly kind: 'parked'; readonly job: Job; readonly after: After }
  | { readonly kind: 'dropped'; readonly job: Job };

/** The message afterwards. */
export type After = {
  readonly status: DeliveryStatus;
  readonly tries: number;
  readonly attempts: number;
  readonly nextAt: Date | null;
  readonly lastAt: Date | null;
  readonly responseStatus: number | null;
  readonly error: AttemptError | null;
  readonly waitingFor: WaitReason | null;
};

export type Tried = Extract<Settlement, { kind: 'tried' }>;

const gone = 410;

/** A try, and what becomes of the message by it. Gone, switched off or no longer wanted is for good; any other failure by the schedule. */
export function tried(job: Job, outcome: Outcome, id: Uuid, now: Date, random = Math.random): Tried {
  const { at, durationMs, responseStatus, error, response, retryAfterSeconds } = outcome;
  const tries = job.tries + 1;
  const attempts = job.attempts + 1;
  const isFinal = isNotSent(error) || responseStatus === gone;
  const nextAt = error === null || isFinal ? null : nextTry(tries, now, retryAfterSeconds, random);
  const status = error === null ? 'delivered' : nextAt === null ? 'failed' : 'pending';
  const { message } = job;
  const row: AttemptRow = {
    account_id: message.accountId,
    endpoint_id: message.endpointId,
    created_at: seconds(message.createdAt),
    message_id: message.id,
    at: seconds(at),
    id,
    mode: message.mode,
    qr_code_id: message.qrCodeId ?? noCode,
    attempt: attempts,
    duration_ms: durationMs,
    response_status: responseStatus ?? 0,
    error: error ?? '',
    response,
    status,
    body: message.body,
    event: message.event,
  };
  return {
    kind: 'tried',
    job,
    row,
    after: { status, tries, attempts, nextAt, lastAt: at, responseStatus, error, waitingFor: null },
    provenUrl: null,
  };
}

/** It cannot be tried now, and waits where it is in nobody's way. That is no try. */
export const parked = (job: Job, nextAt: Date, waitingFor: WaitReason | null = null): Settlement => ({
  kind: 'parked',
  job,
  after: {
    status: 'pending',
    tries: job.tries,
    attempts: job.attempts,
    nextAt,
    lastAt: null,
    responseStatus: null,
    error: null,
    waitingFor,
  },
});

/** Whether the receiver said that it does not want to hear of anything again. */
export const saysGone = (settlement: Settlement): boolean =>
  settlement.kind === 'tried' && settlement.after.responseStatus === gone;

/** Seconds with three decimals are what ClickHouse reads without guessing. */
const seconds = (at: Date) => (at.getTime() / 1000).toFixed(3);
