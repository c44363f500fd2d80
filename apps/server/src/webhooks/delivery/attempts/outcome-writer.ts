import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../../kernel/clock.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { Database } from '../../../platform/postgres/postgres.ts';
import { withDays } from '../../attempt-days.ts';
import { type Attempt, addAttempts } from '../../attempt-log.ts';
import { isNotSent } from '../../webhook.ts';
import * as statements from '../statements.ts';

import { isGone, type Outcome } from './outcome.ts';
import { failingCutoff } from './retry-schedule.ts';

/** Writes outcomes, many in one transaction: the attempts, the messages and the endpoints together. */
export type OutcomeWriter = {
  /** Resolves when it is written, however long PostgreSQL is away. Rejects where PostgreSQL refuses it, and at the end. */
  write(outcome: Outcome): Promise<void>;
  /** Outcomes that are not written yet. */
  backlog(): number;
};

type Parts = {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  readonly signal: AbortSignal;
  readonly onDisabled: (reason: 'gone' | 'failing', endpoints: number) => void;
};

type Waiting = { readonly outcome: Outcome; resolve(): void; reject(error: unknown): void };

const [maxGroup, retryMs] = [500, 200];

export function createOutcomeWriter({ db, clock, logger, signal, onDisabled }: Parts): OutcomeWriter {
  const waiting: Waiting[] = [];
  let writing = 0;
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const group = waiting.splice(0, maxGroup);
      writing = group.length;
      await write(group);
      writing = 0;
    }
    isRunning = false;
  }

  async function write(group: readonly Waiting[]): Promise<void> {
    const outcomes = group.map(({ outcome }) => outcome);
    for (;;) {
      try {
        const disabled = await writeGroup(db, outcomes, clock.now());
        for (const { resolve } of group) resolve();
        if (disabled.gone > 0) onDisabled('gone', disabled.gone);
        if (disabled.failing > 0) onDisabled('failing', disabled.failing);
        return;
      } catch (error) {
        const isAway = error instanceof AppError && error.code === 'unavailable';
        if (!isAway && group.length > 1) {
          // PostgreSQL refuses one of them, or two processes deadlocked: each by itself.
          for (const single of group) await write([single]);
          return;
        }
        const level = isAway ? 'warn' : 'error';
        logger[level]({ err: error, outcomes: group.length }, 'webhook outcomes not written');
        if (!isAway || signal.aborted) {
          for (const { reject } of group) reject(error);
          return;
        }
        await pause(retryMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  return {
    write(outcome) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.push({ outcome, resolve, reject });
      // In the next turn of the event loop, so that attempts that end together are written together.
      if (!isRunning) setImmediate(() => isRunning || void run());
      return promise;
    },
    backlog: () => waiting.length + writing,
  };
}

type Disabled = { readonly gone: number; readonly failing: number };

async function writeGroup(db: Database, group: readonly Outcome[], now: Date): Promise<Disabled> {
  const attempts = group.flatMap(outcome => (outcome.kind === 'attempted' ? [toAttempt(outcome)] : []));
  const open = group.filter(outcome => outcome.kind !== 'dropped' && outcome.update.status !== 'delivered');
  const added = open.filter(({ job }) => job.source === 'queue').map(toRecord);
  const stored = open.filter(({ job }) => job.source === 'postgres');
  const changed = stored.filter(({ kind }) => kind === 'attempted').map(toRecord);
  const postponed = stored.filter(({ kind }) => kind === 'deferred').map(toRecord);
  // Also those from the queue: an unconfirmed message is in PostgreSQL as well.
  const removed = group.filter(outcome => !open.includes(outcome)).map(({ job }) => job.message.id);
  const { succeeded, failed, gone, proven } = groupByEndpoint(group);
  const times = attempts.map(({ result }) => result.at);
  const write = async (tx: Database): Promise<Disabled> => {
    if (attempts.length > 0) await addAttempts(tx, attempts);
    if (added.length > 0) await tx.query(statements.addMessages, [JSON.stringify(added)]);
    if (changed.length > 0) await tx.query(statements.changeMessages, [JSON.stringify(changed)]);
    if (postponed.length > 0) await tx.query(statements.postponeMessages, [JSON.stringify(postponed)]);
    if (removed.length > 0) await tx.query(statements.removeMessages, [removed]);
    if (succeeded.length > 0) await tx.query(statements.clearFailing, [succeeded]);
    if (proven.size > 0)
      await tx.query(statements.noteProven, [[...proven.keys()], [...proven.values()], now]);
    if (failed.length === 0) return { gone: 0, failing: 0 };
    await tx.query(statements.noteFailing, [failed, now]);
    const disabledFailing = await tx.query(statements.disableFailing, [failed, now, failingCutoff(now)]);
    const disabledGone = gone.length > 0 ? await tx.query(statements.disableGone, [gone, now]) : [];
    return { gone: disabledGone.length, failing: disabledFailing.length };
  };
  return await withDays(db, times, () => db.transaction(write));
}

/** One success clears an endpoint, whatever failed beside it. A message that was not sent says nothing about it. */
function groupByEndpoint(group: readonly Outcome[]) {
  const succeeded = new Set<Uuid>();
  const failed = new Set<Uuid>();
  const proven = new Map<Uuid, string>();
  for (const outcome of group) {
    if (outcome.kind !== 'attempted' || isNotSent(outcome.update.error)) continue;
    const { endpointId } = outcome.job.message;
    (outcome.update.error === null ? succeeded : failed).add(endpointId);
    if (outcome.provenUrl !== null) proven.set(endpointId, outcome.provenUrl);
  }
  const gone = group.filter(isGone).map(({ job }) => job.message.endpointId);
  const onlyFailed = [...failed.difference(succeeded).union(new Set(gone))];
  return { succeeded: [...succeeded], failed: onlyFailed, gone, proven };
}

const toAttempt = ({ job, result, update }: Extract<Outcome, { kind: 'attempted' }>): Attempt => ({
  message: job.message,
  number: update.attempts,
  result,
  status: update.status,
});

function toRecord(outcome: Outcome) {
  const { id, endpointId, accountId, mode, qrCodeId, event, body, createdAt, trace } = outcome.job.message;
  const update = outcome.kind === 'dropped' ? null : outcome.update;
  return {
    id,
    endpoint_id: endpointId,
    account_id: accountId,
    mode,
    qr_code_id: qrCodeId,
    body,
    created_at: createdAt,
    status: update?.status,
    tries: update?.roundAttempts,
    attempts: update?.attempts,
    next_at: update?.nextAt,
    last_at: update?.lastAt,
    response_status: update?.responseStatus,
    error: update?.error,
    trace,
    waiting_for: update?.waitingFor,
    event,
  };
}
