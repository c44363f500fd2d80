import type { RateDecision } from '../kernel/rate-decision.ts';

/** What the script returns about a window. Times are microseconds since 1970 by the clock of Redis. */
export type SlidingWindowAnswer = [
  allowed: number,
  /** Calls in the window, including this one if it was allowed. */
  count: number,
  /** The call that has to leave the window before one more is allowed. */
  blockingUs: number,
  newestUs: number,
  nowUs: number,
];

export function toDecision(
  [allowed, count, blockingUs, newestUs, nowUs]: readonly [...SlidingWindowAnswer, ...unknown[]],
  limit: number,
  windowMs: number,
): RateDecision {
  const windowUs = windowMs * 1000;
  return {
    allowed: allowed === 1,
    limit,
    // A limit that was lowered may be below the calls that were allowed before.
    remaining: Math.max(0, limit - count),
    resetAtSeconds: wholeSeconds(newestUs + windowUs),
    // The blocking call is younger than the window: nobody is told to wait for 0 seconds.
    retryAfterSeconds: allowed === 1 ? 0 : wholeSeconds(blockingUs + windowUs - nowUs),
  };
}

const wholeSeconds = (us: number) => Math.ceil(us / 1_000_000);
