import type { Interval } from '@signpost/contract';
import { AppError } from '../kernel/errors.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { MonthRange } from '../scans/retention/month-sums.ts';
import { type Retention, readRetention } from '../scans/retention/retention.ts';
import { monthStartMs, nextMonth, toMonth } from '../scans/stores/month.ts';
import { filteredNames, type Scope } from '../scans/stores/scope.ts';
import { type Period, presentSecond } from './period.ts';

/** A period in two parts: its removed months, which have sums, and the rest, which has scans. */
export type SplitPeriod = {
  readonly rows: Period;
  /** Null if it has no removed month. */
  readonly removed: RemovedPart | null;
};

export type RemovedPart = { readonly retainedFromMs: number; readonly months: MonthRange };

/** For what only scans can answer: a period keeps what has some. */
export function splitByScans(period: Period, retention: Retention | null): SplitPeriod {
  if (!retention || !reachesBack(period, retention)) return { rows: period, removed: null };
  const { removedFromMs, retainedFromMs } = retention;
  const startMs = Math.max(period.startMs, retainedFromMs);
  const endMs = Math.min(period.endMs, retainedFromMs);
  return {
    rows: { ...period, startMs, endMs: Math.max(period.endMs, startMs) },
    removed: {
      retainedFromMs,
      months: {
        from: toMonth(Math.max(period.startMs, removedFromMs)),
        to: endMs === monthStartMs(toMonth(endMs)) ? toMonth(endMs) : nextMonth(toMonth(endMs)),
      },
    },
  };
}

/** For what sums can answer too; refuses a period or scope that they cannot. */
export function splitBySums(period: Period, retention: Retention | null, scope: Scope): SplitPeriod {
  const split = splitByScans(period, retention);
  if (!retention || !split.removed) return split;
  const { removedFromMs, retainedFromMs } = retention;
  if (filteredNames(scope).length > 0 || scope.codes)
    throw refuse(retainedFromMs, 'without filters and for all codes or one');
  for (const boundMs of [period.startMs, period.endMs])
    if (removedFromMs < boundMs && boundMs < retainedFromMs && boundMs !== monthStartMs(toMonth(boundMs)))
      throw refuse(
        retainedFromMs,
        'by whole months in UTC',
        boundMs === period.startMs ? 'start_date' : 'end_date',
      );
  return split;
}

/** For what has no sums. */
export function requireRetained(
  period: Period,
  retention: Retention | null,
  how: string,
  param?: string,
): void {
  if (retention && reachesBack(period, retention)) throw refuse(retention.retainedFromMs, how, param);
}

/** A series has sums where its entries are months in UTC. */
export function requireSeriesOfSums(period: Period, interval: Interval, retention: Retention | null): void {
  if (interval !== 'month' || period.zone.name !== 'UTC')
    requireRetained(period, retention, 'with interval=month and timezone=UTC', 'interval');
}

const reachesBack = ({ startMs, endMs }: Period, { removedFromMs, retainedFromMs }: Retention) =>
  startMs < retainedFromMs && endMs > removedFromMs;

/** `how`: the only way in which what was removed can still be asked for. */
function refuse(retainedFromMs: number, how: string, param = 'start_date'): AppError {
  const from = presentSecond(retainedFromMs);
  const message = `Scans before ${from} were removed. What is left of them are sums: ask for them ${how}, or begin the period at ${from}.`;
  return new AppError('period_not_retained', message, { param });
}

const maxAttempts = 5;

/** Repeats the work if a month was removed meanwhile: its scans may be missing in one part and its sums in another. */
export async function withRetention<Result>(
  on: Database,
  work: (retention: Retention | null) => Promise<Result>,
): Promise<Result> {
  let retention = await readRetention(on);
  for (let attempt = 1; ; attempt++) {
    const result = await work(retention);
    const after = await readRetention(on);
    if (after?.retainedFromMs === retention?.retainedFromMs || attempt === maxAttempts) return result;
    retention = after;
  }
}

/** An export of which a month was removed before it was read breaks off, rather than lack scans. */
export async function* failIfRemoved<Piece>(
  on: Database,
  rows: Period,
  retention: Retention | null,
  read: AsyncGenerator<Piece>,
): AsyncGenerator<Piece> {
  yield* read;
  const after = await readRetention(on);
  if (after && after.retainedFromMs !== retention?.retainedFromMs && rows.startMs < after.retainedFromMs)
    throw new Error('A month of the export was removed while it was read');
}

/** The field of a response that covers removed months. */
export const presentRetained = (removed: RemovedPart | null) =>
  removed ? { retained_from: presentSecond(removed.retainedFromMs) } : {};
