import { ApiError, ConnectionError, retryAfterSeconds } from './errors.ts';

export type RetryRules = {
  readonly maxRetries: number;
  /** A wait that the service asks for and that is longer than this is left to the caller. */
  readonly maxRetryDelayMs: number;
};

/** Headers have their names in lower case. */
type Sent = { readonly method: string; readonly headers: Readonly<Record<string, string>> };

const firstDelayMs = 500;
const longestOwnDelayMs = 8000;

/**
 * How long to wait before the request is sent again, or null where it must not be. A request that may have been carried
 * out is sent again only where that does no harm: a GET, or a POST, which always has an idempotency key. A PATCH or
 * DELETE is repeated only after 429, which is said before anything is done: repeated blindly, it could undo what
 * another caller did in between. So is a PUT with a condition, which its own first attempt may have made false.
 */
export function delayBeforeRetry(
  error: unknown,
  request: Sent,
  retriesSoFar: number,
  { maxRetries, maxRetryDelayMs }: RetryRules,
  random: () => number = Math.random,
): number | null {
  if (retriesSoFar >= maxRetries || !mayRetry(error, request)) return null;
  const asked = error instanceof ApiError ? retryAfterSeconds(error.headers) : undefined;
  if (asked !== undefined) return asked * 1000 <= maxRetryDelayMs ? asked * 1000 : null;
  // Half fixed, half chance, so that many callers do not come back all at once.
  const delayMs = Math.min(firstDelayMs * 2 ** retriesSoFar, longestOwnDelayMs);
  return Math.min(delayMs * (0.5 + random() / 2), maxRetryDelayMs);
}

function mayRetry(error: unknown, { method, headers }: Sent): boolean {
  if (error instanceof ApiError && error.status === 429) return true;
  const isConditional = 'if-match' in headers || 'if-none-match' in headers;
  if (method !== 'GET' && method !== 'POST' && (method !== 'PUT' || isConditional)) return false;
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof ApiError)) return false;
  return error.status >= 500 || error.code === 'idempotency_in_progress';
}
