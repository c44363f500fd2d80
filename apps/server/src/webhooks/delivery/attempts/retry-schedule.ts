const [second, minute, hour] = [1, 60, 3600];

/** From one attempt to the next: eleven attempts over about 76 hours. */
export const retryDelaysSeconds: readonly number[] = [
  5 * second,
  30 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

const jitter = 0.2;
const maxRetryAfterSeconds = hour;
const dayMs = 24 * hour * 1000;

/** An endpoint is disabled after nothing but failures for this long. */
export const failingForMs = 5 * dayMs;

/**
 * When to attempt again after this many failed attempts, or null after the last. With jitter, so that messages that
 * failed together do not come back together. A receiver may ask for a longer wait, up to an hour.
 */
export function nextAttemptAt(
  failedAttempts: number,
  now: Date,
  retryAfterSeconds: number | null,
  random: () => number = Math.random,
): Date | null {
  const delay = retryDelaysSeconds[failedAttempts - 1];
  if (delay === undefined) return null;
  const jittered = delay * (1 - jitter + 2 * jitter * random());
  const requested = Math.min(retryAfterSeconds ?? 0, maxRetryAfterSeconds);
  return new Date(now.getTime() + Math.round(Math.max(jittered, requested) * 1000));
}

/** Retry-After in seconds: a number of them, or a date. Anything else is ignored. */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const at = /^[A-Z][a-z]{2}, \d/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1000));
}

/** An endpoint that has been failing since before this time is disabled. */
export const failingCutoff = (now: Date): Date => new Date(now.getTime() - failingForMs);
