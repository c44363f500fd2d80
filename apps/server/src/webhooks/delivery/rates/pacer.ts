/** Keeps the attempts of this process at a host apart by the rate: attempts that were delayed together do not burst. */
export type Pacer = {
  /** When an attempt with this reservation may be sent (`performance.now`), given the one that was sent before it. */
  dueMs(key: string, reservedMs: number, spacingMs: number): number;
  noteSent(key: string, atMs: number): void;
};

/** A tenth less than the rate's spacing, so that attempts that are late catch up. */
const minOfSpacing = 0.9;
const maxKeys = 10_000;

export function createPacer(): Pacer {
  const lastSentMs = new Map<string, number>();
  return {
    dueMs: (key, reservedMs, spacingMs) =>
      Math.max(reservedMs, (lastSentMs.get(key) ?? Number.NEGATIVE_INFINITY) + minOfSpacing * spacingMs),
    noteSent(key, atMs) {
      lastSentMs.delete(key);
      lastSentMs.set(key, atMs);
      if (lastSentMs.size > maxKeys) lastSentMs.delete(lastSentMs.keys().next().value!);
    },
  };
}
