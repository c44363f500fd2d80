import type { Verdict } from '../kernel/sliding-windows.ts';

/** What the script tells of a window. Times are microseconds since 1970 by the clock of Redis. */
export type WindowAnswer = [
  allowed: number,
  /** Calls in the window, this one among them when it was let through. */
  count: number,
  /** The call that has to leave the window before one more is let through. */
  blockingUs: number,
  newestUs: number,
  nowUs: number,
];

export function toVerdict(
  [allowed, count, blockingUs, newestUs, nowUs]: readonly [...WindowAnswer, ...unknown[]],
  limit: number,
  windowMs: number,
): Verdict {
  const windowUs = windowMs * 1000;
  return {
    allowed: allowed === 1,
    limit,
    // A limit that was lowered may be below what was let through before.
    remaining: Math.max(0, limit - count),
    resetAtSeconds: wholeSeconds(newestUs + windowUs),
    // A call that blocks is younger than the window, so that nobody is told to wait for 0 seconds.
    retryAfterSeconds: allowed === 1 ? 0 : wholeSeconds(blockingUs + windowUs - nowUs),
  };
}

const wholeSeconds = (us: number) => Math.ceil(us / 1_000_000);
