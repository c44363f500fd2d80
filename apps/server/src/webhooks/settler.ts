import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres.ts';
import { givenUpBefore } from './schedule.ts';
import * as statements from './settle-statements.ts';
import { type Settlement, saysGone } from './settlement.ts';
import { isNotSent } from './webhook.ts';

/** Writes down what came of tries, many in one transaction: the attempts, the messages and the endpoints together. */
export type Settler = {
  /** Resolves when it is written, however long PostgreSQL is away; rejects where PostgreSQL refuses it, or at the end. */
  settle(settlement: Settlement): Promise<void>;
  /** How many are not written yet. */
  backlog(): number;
};

type Parts = {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  readonly signal: AbortSignal;
  readonly onDisabled: (reason: 'gone' | 'failing', endpoints: number) => void;
};

type Waiting = { readonly settlement: Settlement; done(): void; failed(error: unknown): void };

const [mostAtOnce, retryMs] = [500, 200];

export function createSettler({ db, clock, logger, signal, onDisabled }: Parts): Settler {
  const waiting: Waiting[] = [];
  let writing = 0;
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const group = waiting.splice(0, mostAtOnce);
      writing = group.length;
      await write(group);
      writing = 0;
    }
    isRunning = false;
  }

  async function write(group: readonly Waiting[]): Promise<void> {
    for (;;) {
      try {
        const disabled = await writeGroup(
          db,
          group.map(({ settlement }) => settlement),
          clock.now(),
        );
        for (const { done } of group) done();
        if (disabled.gone > 0) onDisabled('gone', disabled.gone);
        if (disabled.failing > 0) onDisabled('failing', disabled.failing);
        return;
      } catch (error) {
        const isAway = error instanceof AppError && error.code === 'unavailable';
        if (!isAway && group.length > 1) {
          // One of them spoils it, or two processes waited crosswise: each by itself.
          for (const one of group) await write([one]);
          return;
        }
        logger[isAway ? 'warn' : 'error'](
          { err: error, settlements: group.length },
          'webhook outcome not written',
        );
        if (!isAway || signal.aborted) {
          for (const { failed } of group) failed(error);
          return;
        }
        await pause(retryMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  return {
    settle(settlement) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.push({ settlement, done: resolve, failed: reject });
      // In the next turn, so that what ends together is written together.
      if (!isRunning) setImmediate(() => isRunning || void run());
      return promise;
    },
    backlog: () => waiting.length + writing,
  };
}

type Disabled = { readonly gone: number; readonly failing: number };

async function writeGroup(db: Database, group: readonly Settlement[], now: Date): Promise<Disabled> {
  const rows = group.flatMap(one => (one.kind === 'tried' ? [one.row] : []));
  const open = group.filter(one => one.kind !== 'dropped' && one.after.status !== 'delivered');
  const added = open.filter(({ job }) => job.kind === 'live').map(messageOf);
  const stored = open.filter(({ job }) => job.kind === 'stored');
  const changed = stored.filter(({ kind }) => kind === 'tried').map(messageOf);
  const putOff = stored.filter(({ kind }) => kind === 'parked').map(messageOf);
  // Of those that came from the queue too: PostgreSQL may hold what nobody answered for when it was published.
  const removed = group.filter(one => !open.includes(one)).map(({ job }) => job.message.id);
  const { succeeded, failed, gone, proven } = endpointsOf(group);
  return await db.transaction(async tx => {
    if (rows.length > 0) await tx.query(statements.addAttempts, [JSON.stringify(rows)]);
    if (added.length > 0) await tx.query(statements.addMessages, [JSON.stringify(added)]);
    if (changed.length > 0) await tx.query(statements.changeMessages, [JSON.stringify(changed)]);
    if (putOff.length > 0) await tx.query(statements.putOffMessages, [JSON.stringify(putOff)]);
    if (removed.length > 0) await tx.query(statements.removeMessages, [removed]);
    if (succeeded.length > 0) await tx.query(statements.clearFailing, [succeeded]);
    if (proven.size > 0)
      await tx.query(statements.noteProven, [[...proven.keys()], [...proven.values()], now]);
    if (failed.length === 0) return { gone: 0, failing: 0 };
    await tx.query(statements.noteFailing, [failed, now]);
    const off = await tx.query(statements.disableFailing, [failed, now, givenUpBefore(now)]);
    const wentAway = gone.length > 0 ? await tx.query(statements.disableGone, [gone, now]) : [];
    return { gone: wentAway.length, failing: off.length };
  });
}

/** One success of an endpoint clears it, whatever failed beside it. What was not sent says nothing. */
function endpointsOf(group: readonly Settlement[]) {
  const succeeded = new Set<Uuid>();
  const failed = new Set<Uuid>();
  const proven = new Map<Uuid, string>();
  for (const one of group) {
    if (one.kind !== 'tried' || isNotSent(one.after.error)) continue;
    const { endpointId } = one.job.message;
    (one.after.error === null ? succeeded : failed).add(endpointId);
    if (one.provenUrl !== null) proven.set(endpointId, one.provenUrl);
  }
  const gone = group.filter(saysGone).map(({ job }) => job.message.endpointId);
  const onlyFailed = [...failed.difference(succeeded).union(new Set(gone))];
  return { succeeded: [...succeeded], failed: onlyFailed, gone, proven };
}

function messageOf(settlement: Settlement) {
  const { job } = settlement;
  const { id, endpointId, accountId, mode, qrCodeId, event, body, createdAt, trace } = job.message;
  const after = settlement.kind === 'dropped' ? null : settlement.after;
  return {
    id,
    endpoint_id: endpointId,
    account_id: accountId,
    mode,
    qr_code_id: qrCodeId,
    body,
    created_at: createdAt,
    status: after?.status,
    tries: after?.tries,
    attempts: after?.attempts,
    next_at: after?.nextAt,
    last_at: after?.lastAt,
    response_status: after?.responseStatus,
    error: after?.error,
    trace,
    waiting_for: after?.waitingFor,
    event,
  };
}
