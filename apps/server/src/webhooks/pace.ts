/** Keeps the tries of a process at a host apart by the rate: those that were held up together do not go together. */
export type Pace = {
  /** When a try with this moment may go (`performance.now`), by the one that went before it. */
  dueMs(key: string, slotMs: number, spacingMs: number): number;
  went(key: string, atMs: number): void;
};

/** A tenth less than the rate leaves between two, so that what is late does not stay so. */
const leastOfSpacing = 0.9;
const mostKnown = 10_000;

export function createPace(): Pace {
  const last = new Map<string, number>();
  return {
    dueMs: (key, slotMs, spacingMs) =>
      Math.max(slotMs, (last.get(key) ?? Number.NEGATIVE_INFINITY) + leastOfSpacing * spacingMs),
    went(key, atMs) {
      last.delete(key);
      last.set(key, atMs);
      if (last.size > mostKnown) last.delete(last.keys().next().value!);
    },
  };
}
