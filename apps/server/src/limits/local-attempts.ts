import { createHmac } from 'node:crypto';
import { type AttemptLimit, type Attempts, tooManyAttempts } from './attempts.ts';
import { steadyNowMs } from './sliding-windows.ts';

type Options = { readonly secret: string; readonly maxKeys?: number; readonly nowMs?: () => number };

/** Times of counted attempts, oldest first, and when the last of them leaves its window. */
type Counted = { times: number[]; endsMs: number };

/** Attempts counted in the memory of the only process. Nothing can be away here, so nothing has to be refused for it. */
export function createLocalAttempts({ secret, maxKeys = 200_000, nowMs = steadyNowMs }: Options): Attempts {
  // A Map keeps its order of insertion: one that is counted again is inserted at the end.
  const counted = new Map<string, Counted>();
  const toKey = ({ what, subject }: AttemptLimit) =>
    createHmac('sha256', secret).update(`${what}\n${subject}`).digest('base64url');

  function makeRoom(now: number): void {
    if (counted.size < maxKeys) return;
    for (const [key, { endsMs }] of counted) if (endsMs <= now) counted.delete(key);
    // All of them count: the one that was attempted least recently starts again.
    const [oldest] = counted.keys();
    if (counted.size >= maxKeys && oldest !== undefined) counted.delete(oldest);
  }

  /** The time at which it was counted, or how long to wait. */
  function count(attempt: AttemptLimit): { readonly atMs: number } | { readonly waitMs: number } {
    const { limit, windowMs } = attempt;
    const [key, now] = [toKey(attempt), nowMs()];
    const times = (counted.get(key)?.times ?? []).filter(at => at > now - windowMs);
    const blocking = times.at(-limit);
    if (times.length >= limit) return { waitMs: (blocking ?? now) + windowMs - now };
    counted.delete(key);
    makeRoom(now);
    counted.set(key, { times: [...times, now], endsMs: now + windowMs });
    return { atMs: now };
  }

  function uncount(attempt: AttemptLimit, atMs: number): void {
    const entry = counted.get(toKey(attempt));
    const index = entry?.times.indexOf(atMs) ?? -1;
    if (index >= 0) entry!.times.splice(index, 1);
  }

  return {
    async take(...limits) {
      const taken: (() => void)[] = [];
      const uncountAll = async () => {
        for (const undo of taken.splice(0)) undo();
      };
      for (const attempt of limits) {
        const outcome = count(attempt);
        if ('waitMs' in outcome) {
          await uncountAll();
          throw tooManyAttempts(Math.ceil(outcome.waitMs / 1000));
        }
        taken.push(() => uncount(attempt, outcome.atMs));
      }
      return uncountAll;
    },
  };
}
