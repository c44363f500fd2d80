import { LRUCache } from 'lru-cache';
import type { RateDecision } from '../kernel/rate-decision.ts';

/** An exact sliding window for each key, in the memory of this process. */
export type SlidingWindows = {
  /** Decides about a call, and counts it if it is allowed. */
  take(key: string, limit: number): RateDecision;
  /** The decision as it stands, without counting a call. */
  look(key: string, limit: number): RateDecision;
  /** Counts a call that was allowed elsewhere. */
  note(key: string): void;
};

type Options = {
  readonly windowMs: number;
  /** At most this many keys are counted; beyond that, the least recently used one starts again. */
  readonly maxKeys: number;
  readonly nowMs?: () => number;
};

/** Milliseconds since 1970 that never go back while the process lives. */
export const steadyNowMs = () => performance.timeOrigin + performance.now();

export function createSlidingWindows({ windowMs, maxKeys, nowMs = steadyNowMs }: Options): SlidingWindows {
  const calls = new LRUCache<string, CallTimes>({ max: maxKeys });

  function current(times: CallTimes, now: number): CallTimes {
    times.dropUntil(now - windowMs);
    return times;
  }

  function add(key: string, times: CallTimes, now: number): void {
    times.add(now);
    // Only the first call of a window can be that of a new key.
    if (times.size === 1) calls.set(key, times);
  }

  function decide(allowed: boolean, limit: number, times: CallTimes, now: number): RateDecision {
    const newest = times.newest(1);
    // One more call is allowed once all but limit - 1 of the calls have left the window.
    const blocking = allowed ? undefined : times.newest(limit);
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - times.size),
      resetAtSeconds: Math.ceil((newest === undefined ? now : newest + windowMs) / 1000),
      // The blocking call is younger than the window: nobody is told to wait for 0 seconds.
      retryAfterSeconds: blocking === undefined ? 0 : Math.ceil((blocking + windowMs - now) / 1000),
    };
  }

  return {
    take(key, limit) {
      const now = nowMs();
      const times = current(calls.get(key) ?? new CallTimes(), now);
      const allowed = times.size < limit;
      if (allowed) add(key, times, now);
      return decide(allowed, limit, times, now);
    },
    look(key, limit) {
      const now = nowMs();
      const times = current(calls.peek(key) ?? new CallTimes(), now);
      return decide(times.size < limit, limit, times, now);
    },
    note(key) {
      const now = nowMs();
      add(key, current(calls.get(key) ?? new CallTimes(), now), now);
    },
  };
}

/** Times of calls in order. Dropping moves an index; the array is cut only when half of it lies before the index. */
class CallTimes {
  #times: number[] = [];
  #dropped = 0;

  get size(): number {
    return this.#times.length - this.#dropped;
  }

  add(time: number): void {
    this.#times.push(time);
  }

  /** The nth newest, from 1. */
  newest(n: number): number | undefined {
    return n > this.size ? undefined : this.#times[this.#times.length - n];
  }

  dropUntil(time: number): void {
    while (this.#times[this.#dropped]! <= time) this.#dropped++;
    if (this.#dropped > this.#times.length / 2) {
      this.#times = this.#times.slice(this.#dropped);
      this.#dropped = 0;
    }
  }
}
