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
  const logs = new Map<string, CallLog>();

  function current(key: string, now: number): CallLog {
    const log = logs.get(key) ?? new CallLog();
    log.forgetUntil(now - windowMs);
    return log;
  }

  function add(key: string, log: CallLog, now: number): void {
    log.add(now);
    if (log.size > 1) return;
    // First call of a window: moves to the end of the line of keys to forget.
    logs.delete(key);
    logs.set(key, log);
    if (logs.size > maxKeys) logs.delete(logs.keys().next().value!);
  }

  function verdict(allowed: boolean, limit: number, log: CallLog, now: number): Verdict {
    const newest = log.newest(1);
    // A place is free once all but limit - 1 of the calls have left the window.
    const blocking = allowed ? undefined : log.newest(limit);
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - log.size),
      resetAtSeconds: Math.ceil((newest === undefined ? now : newest + windowMs) / 1000),
      // What blocks is younger than the window, so that nobody is told to wait for 0 seconds.
      retryAfterSeconds: blocking === undefined ? 0 : Math.ceil((blocking + windowMs - now) / 1000),
    };
  }

  return {
    take(key, limit) {
      const now = nowMs();
      const log = current(key, now);
      const allowed = log.size < limit;
      if (allowed) add(key, log, now);
      return verdict(allowed, limit, log, now);
    },
    look(key, limit) {
      const now = nowMs();
      const log = current(key, now);
      return verdict(log.size < limit, limit, log, now);
    },
    note(key) {
      const now = nowMs();
      add(key, current(key, now), now);
    },
  };
}

/** Times of calls in order. Forgetting moves a mark; the array is cut only when half of it lies behind the mark. */
class CallLog {
  #times: number[] = [];
  #forgotten = 0;

  get size(): number {
    return this.#times.length - this.#forgotten;
  }

  add(time: number): void {
    this.#times.push(time);
  }

  /** The nth newest, from 1. */
  newest(n: number): number | undefined {
    return n > this.size ? undefined : this.#times[this.#times.length - n];
  }

  forgetUntil(time: number): void {
    while (this.#times[this.#forgotten]! <= time) this.#forgotten++;
    if (this.#forgotten > this.#times.length / 2) {
      this.#times = this.#times.slice(this.#forgotten);
      this.#forgotten = 0;
    }
  }
}
