/** What a limit says to one request, and what the answer's headers tell the caller. */
export type Verdict = {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds at which the whole limit is free again. */
  readonly resetAtSeconds: number;
  /** Whole seconds after which a refused caller gets through; 0 when allowed. */
  readonly retryAfterSeconds: number;
};

/** An exact sliding window for each key, in the memory of this process. */
export type SlidingWindows = {
  take(key: string, limit: number): Verdict;
  /** The verdict as it stands, without taking a place. */
  look(key: string, limit: number): Verdict;
  /** Takes a place without asking: the request was let through by somebody else. */
  note(key: string): void;
};

type Options = {
  readonly windowMs: number;
  /** Keys remembered at most; past that the one that was first seen is forgotten. */
  readonly maxKeys: number;
  readonly nowMs?: () => number;
};

/** Milliseconds since 1970 that never go back while the process lives. */
export const steadyNowMs = () => performance.timeOrigin + performance.now();

export function createSlidingWindows({ windowMs, maxKeys, nowMs = steadyNowMs }: Options): SlidingWindows {
  const taken = new Map<string, number[]>();

  function current(key: string, now: number): number[] {
    const times = taken.get(key) ?? [];
    const expired = times.findIndex(time => time > now - windowMs);
    if (expired !== 0) times.splice(0, expired < 0 ? times.length : expired);
    return times;
  }

  function add(key: string, times: number[], now: number): void {
    times.push(now);
    if (times.length === 1) {
      taken.delete(key);
      taken.set(key, times);
      if (taken.size > maxKeys) taken.delete(taken.keys().next().value!);
    }
  }

  return {
    take(key, limit) {
      const now = nowMs();
      const times = current(key, now);
      const allowed = times.length < limit;
      if (allowed) add(key, times, now);
      return verdict({ allowed, limit, times, now, windowMs });
    },
    look(key, limit) {
      const now = nowMs();
      const times = current(key, now);
      return verdict({ allowed: times.length < limit, limit, times, now, windowMs });
    },
    note(key) {
      const now = nowMs();
      add(key, current(key, now), now);
    },
  };
}

type State = { allowed: boolean; limit: number; times: readonly number[]; now: number; windowMs: number };

function verdict({ allowed, limit, times, now, windowMs }: State): Verdict {
  const newest = times.at(-1);
  // A place is free once all but limit - 1 of the requests have left the window.
  const blocking = allowed ? undefined : times.at(-limit);
  return {
    allowed,
    limit,
    remaining: Math.max(0, limit - times.length),
    resetAtSeconds: Math.ceil((newest === undefined ? now : newest + windowMs) / 1000),
    retryAfterSeconds:
      blocking === undefined ? 0 : Math.max(1, Math.ceil((blocking + windowMs - now) / 1000)),
  };
}
