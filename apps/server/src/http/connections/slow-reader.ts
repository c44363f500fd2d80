/** The speed that a client has to read at on average, and how long it may read nothing. */
export type MinReadRate = { readonly bytesPerSecond: number; readonly graceMs: number };

/** Tells a client that reads too slowly from one that is kept waiting: only time in which a chunk waits for it counts. */
export type ReaderWatch = {
  /** A chunk is ready to be read. */
  offered(bytes: number): void;
  /** The client has read it. */
  taken(): void;
  stop(): void;
};

/**
 * What a client has read ahead counts in its favour, up to this much. The kernel swallows megabytes at the start and
 * then takes more only when a third of its send buffer (4 MiB in Linux) is free: a client that reads a steady 16 KiB a
 * second seems to stop for minutes.
 */
export const maxReadAheadBytes = 4 * 1024 * 1024;

/** A timer that is this late shows that the process was stalled; then what the client has read needs time to be noticed. */
const [stalledMs, afterStallMs] = [50, 1000];

export function createReaderWatch({ bytesPerSecond, graceMs }: MinReadRate, onSlow: () => void): ReaderWatch {
  const toMs = (bytes: number) => (bytes / bytesPerSecond) * 1000;
  const maxLeftMs = graceMs + toMs(maxReadAheadBytes);
  let leftMs = graceMs;
  let offer: { readonly bytes: number; readonly atMs: number } | null = null;
  let timer: NodeJS.Timeout | undefined;

  function checkAfter(ms: number): void {
    const dueMs = performance.now() + ms;
    timer = setTimeout(() => {
      if (performance.now() - dueMs > stalledMs) checkAfter(afterStallMs);
      else onSlow();
    }, ms);
  }

  return {
    offered(bytes) {
      offer = { bytes, atMs: performance.now() };
      checkAfter(leftMs);
    },
    taken() {
      if (!offer) return;
      clearTimeout(timer);
      const waitedMs = performance.now() - offer.atMs;
      leftMs = Math.max(0, Math.min(maxLeftMs, leftMs - waitedMs + toMs(offer.bytes)));
      offer = null;
    },
    stop() {
      clearTimeout(timer);
      offer = null;
    },
  };
}
