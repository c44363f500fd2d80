/**
 * Runs `work` at most once an interval and says how many calls were skipped since the last run: a fault under load
 * writes one line a second, not one a request. The monotonic clock decides, as the wall clock may jump.
 */
export function atMostEvery(
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
    const since = skipped;
    lastMs = atMs;
    skipped = 0;
    work(since);
  };
}
