/** The speed that a reader has to keep to on average, and how far it may fall behind. */
export type LeastSpeed = { readonly bytesPerSecond: number; readonly patienceMs: number };

/** Tells a reader who is too slow from one who is kept waiting: only the time counts in which a piece waits for it. */
export type ReaderWatch = {
  offered(bytes: number): void;
  taken(): void;
  stop(): void;
};

/**
 * What a reader has taken ahead counts for later, up to so much. The kernel swallows megabytes at the start and then takes
 * more only when a third of its send buffer (4 MiB in Linux) is free: a steady reader of 16 KiB a second seems to stop for
 * minutes.
 */
export const aheadBytes = 4 * 1024 * 1024;

/** A timer that is this late shows that the process was stalled; then what the reader took has some time to be told. */
const [stalledMs, graceMs] = [50, 1000];

export function createReaderWatch(
  { bytesPerSecond, patienceMs }: LeastSpeed,
  onSlow: () => void,
): ReaderWatch {
  const toMs = (bytes: number) => (bytes / bytesPerSecond) * 1000;
  const mostMs = patienceMs + toMs(aheadBytes);
  let leftMs = patienceMs;
  let offer: { readonly bytes: number; readonly atMs: number } | null = null;
  let timer: NodeJS.Timeout | undefined;

  function judgeAfter(ms: number): void {
    const dueMs = performance.now() + ms;
    timer = setTimeout(() => {
      if (performance.now() - dueMs > stalledMs) judgeAfter(graceMs);
      else onSlow();
    }, ms);
  }

  return {
    offered(bytes) {
      offer = { bytes, atMs: performance.now() };
      judgeAfter(leftMs);
    },
    taken() {
      if (!offer) return;
      clearTimeout(timer);
      const waitedMs = performance.now() - offer.atMs;
      leftMs = Math.max(0, Math.min(mostMs, leftMs - waitedMs + toMs(offer.bytes)));
      offer = null;
    },
    stop() {
      clearTimeout(timer);
      offer = null;
    },
  };
}
