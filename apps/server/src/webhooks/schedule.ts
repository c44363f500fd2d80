const [second, minute, hour] = [1, 60, 3600];

/** Seconds from one try to the next: eleven tries over about 76 hours. */
export const delays: readonly number[] = [
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

const spread = 0.2;
const longestRetryAfter = hour;
const dayMs = 24 * hour * 1000;

/** Nothing but failures for so long disables an endpoint. */
export const failingForMs = 5 * dayMs;

/**
 * When to try again after `tries` tries that failed, or null when that was the last. Spread, so that what failed
 * together does not come back together. A receiver may ask for a longer wait, up to an hour.
 */
export function nextTry(
  tries: number,
  now: Date,
  retryAfterSeconds: number | null,
  random: () => number = Math.random,
): Date | null {
  const delay = delays[tries - 1];
  if (delay === undefined) return null;
  const spreadDelay = delay * (1 - spread + 2 * spread * random());
  const asked = Math.min(retryAfterSeconds ?? 0, longestRetryAfter);
  return new Date(now.getTime() + Math.round(Math.max(spreadDelay, asked) * 1000));
}

/** Retry-After in seconds: a number of them, or a date. Anything else is passed over. */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const at = /^[A-Z][a-z]{2}, \d/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1000));
}

/** An endpoint that has had nothing but failures since before this moment has had its time. */
export const givenUpBefore = (now: Date): Date => new Date(now.getTime() - failingForMs);
