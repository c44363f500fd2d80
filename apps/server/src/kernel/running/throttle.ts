/**
 * Runs `work` at most once per interval, with the number of calls skipped since the last run: an error under load logs one
 * line per second, not one per request. By the monotonic clock, since the wall clock may jump.
 */
export function throttle(
  intervalMs: number,
  nowMs: () => number = () => performance.now(),
): (work: (skipped: number) => void) => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  let skipped = 0;
  return work => {
    const atMs = nowMs();
    if (atMs - lastMs < intervalMs) {
      skipped++;
      return;
    }
    const skippedBefore = skipped;
    lastMs = atMs;
    skipped = 0;
    work(skippedBefore);
  };
}
