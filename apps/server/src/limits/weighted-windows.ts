import { LRUCache } from 'lru-cache';

/** Sliding windows whose calls have a weight, in the memory of this process. */
export type WeightedWindows = {
  /** Decides about a call, and counts its weight if it is allowed. */
  take(key: string, limit: number, weight: number): WeightedDecision;
  /** Counts a call that was allowed elsewhere. */
  note(key: string, weight: number): Entry;
};

/** A counted call. Its weight may be lowered later if less came of it. */
type Entry = { readonly atMs: number; weight: number };

type WeightedDecision =
  | { readonly allowed: true; readonly entry: Entry }
  | { readonly allowed: false; readonly used: number; readonly waitMs: number };

type Options = {
  readonly windowMs: number;
  /** At most this many keys are counted; beyond that, the least recently used one starts again. */
  readonly maxKeys: number;
  readonly nowMs?: () => number;
};

export function createWeightedWindows({
  windowMs,
  maxKeys,
  nowMs = () => performance.now(),
}: Options): WeightedWindows {
  const logs = new LRUCache<string, Entry[]>({ max: maxKeys });

  /** Oldest first, without those that have left the window. */
  const current = (key: string, now: number): Entry[] =>
    (logs.get(key) ?? []).filter(entry => entry.atMs > now - windowMs);

  function add(key: string, log: readonly Entry[], weight: number, now: number): Entry {
    const entry = { atMs: now, weight };
    logs.set(key, [...log, entry]);
    return entry;
  }

  return {
    take(key, limit, weight) {
      const now = nowMs();
      const log = current(key, now);
      const used = log.reduce((sum, entry) => sum + entry.weight, 0);
      if (used + weight <= limit) return { allowed: true, entry: add(key, log, weight, now) };
      // This much weight has to leave the window first, oldest first.
      let leaving = used + weight - limit;
      let blockingMs = now;
      for (const entry of log) {
        if (leaving <= 0) break;
        leaving -= entry.weight;
        blockingMs = entry.atMs;
      }
      return { allowed: false, used, waitMs: blockingMs + windowMs - now };
    },
    note(key, weight) {
      const now = nowMs();
      return add(key, current(key, now), weight, now);
    },
  };
}
