/** Sliding windows whose entries weigh more than one, in the memory of this process. */
export type WeightedWindows = {
  take(key: string, limit: number, weight: number): WeightedVerdict;
  /** Takes a place without asking: somebody else let it through. */
  note(key: string, weight: number): Entry;
};

/** What was taken. Its weight may be lowered later, where less came of it. */
export type Entry = { readonly atMs: number; weight: number };

export type WeightedVerdict =
  | { readonly allowed: true; readonly entry: Entry }
  | { readonly allowed: false; readonly used: number; readonly waitMs: number };

type Options = {
  readonly windowMs: number;
  /** Keys remembered at most; past that the one that was used longest ago is forgotten. */
  readonly maxKeys: number;
  readonly nowMs?: () => number;
};

export function createWeightedWindows({
  windowMs,
  maxKeys,
  nowMs = () => performance.now(),
}: Options): WeightedWindows {
  const logs = new Map<string, Entry[]>();

  /** Oldest first, without those that have left the window. */
  const current = (key: string, now: number): Entry[] =>
    (logs.get(key) ?? []).filter(entry => entry.atMs > now - windowMs);

  function add(key: string, log: readonly Entry[], weight: number, now: number): Entry {
    const entry = { atMs: now, weight };
    logs.delete(key);
    logs.set(key, [...log, entry]);
    if (logs.size > maxKeys) logs.delete(logs.keys().next().value!);
    return entry;
  }

  return {
    take(key, limit, weight) {
      const now = nowMs();
      const log = current(key, now);
      const used = log.reduce((sum, entry) => sum + entry.weight, 0);
      if (used + weight <= limit) return { allowed: true, entry: add(key, log, weight, now) };
      // So much has to leave first, oldest first.
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
