import { AppError } from '../../kernel/errors.ts';

/** Number and name of an error that ClickHouse itself reported; null for a broken connection or anything else. */
export function clickHouseError(error: unknown): { readonly code: number; readonly type: string } | null {
  // By shape and not by class: the client's package is loaded only where there is a ClickHouse.
  const { code, type } = (error ?? {}) as { code?: unknown; type?: unknown };
  return typeof code === 'string' && /^\d+$/.test(code)
    ? { code: Number(code), type: String(type ?? '') }
    : null;
}

/** Whether ClickHouse refused the rows, rather than the statement or the user. */
export function isBadValueError(error: unknown): boolean {
  const reported = clickHouseError(error);
  return reported !== null && badValueCodes.has(reported.code);
}

/** A value that does not parse as the type of its column, is out of range, or breaks a constraint. */
const badValueCodes = new Set([
  6, 26, 27, 38, 41, 53, 69, 72, 117, 131, 190, 321, 349, 376, 407, 441, 467, 469, 675, 676,
]);

/** The error for the caller: `timeout`, `unavailable`, or the original. */
export function toCallerError(error: unknown, timeout: AbortSignal): unknown {
  if (timeout.aborted || clickHouseError(error)?.code === timeoutExceeded) {
    const message = 'The answer took too long to work out. Ask for a shorter period, or try again.';
    return new AppError('timeout', message, { cause: error });
  }
  return isOutage(error) ? unavailable(error) : error;
}

const timeoutExceeded = 159;

const unavailable = (cause: unknown) =>
  new AppError('unavailable', "Analytics can't be reached right now. Try again in a moment.", {
    cause,
    retryAfterSeconds: 1,
  });

/** Whether ClickHouse, rather than the query, is the cause. An error that ClickHouse did not report is a broken connection. */
function isOutage(error: unknown): boolean {
  const reported = clickHouseError(error);
  return reported === null || transientCodes.has(reported.code);
}

/**
 * Out of threads, memory, disk, parts or connections, cancelled, read-only for now, or without its Keeper: the same query
 * may work later.
 */
const transientCodes = new Set([
  198, 202, 203, 209, 210, 225, 236, 241, 242, 243, 252, 279, 319, 394, 439, 999,
]);
