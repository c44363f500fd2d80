import { ApiError } from './api-error.ts';

/** A chart that waits longer than this says so instead. */
const longestWaitSeconds = 10;
const [mostTries, mostTriesInLine] = [2, 4];

/**
 * A refusal is final; silence, faults of the server and a place that is soon free are worth asking again. A page asks for
 * several charts at once, and each may have to wait for the others. Without a connection it is said at once.
 */
export function worthRetrying(failures: number, error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code === 'offline') return false;
  if (error.status !== 429) return failures < mostTries && (error.status === 0 || error.status >= 500);
  return failures < mostTriesInLine && (error.retryAfterSeconds ?? Infinity) <= longestWaitSeconds;
}

/** As long as the server asks for; else longer each time. */
export const retryDelayMs = (failures: number, error: unknown): number =>
  error instanceof ApiError && error.retryAfterSeconds !== undefined
    ? error.retryAfterSeconds * 1000
    : Math.min(1000 * 2 ** failures, 30_000);
