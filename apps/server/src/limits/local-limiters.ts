import { LRUCache } from 'lru-cache';
import type { Uuid } from '../kernel/ids.ts';
import type { CreationLimiter } from './creation-limiter.ts';
import { type Limiters, maxCounted } from './limiters.ts';
import { createLocalAttempts } from './local-attempts.ts';
import { toBucket } from './rate-limiter.ts';
import { createLocalSlots } from './shares/local-slots.ts';
import { createSlidingWindows, steadyNowMs } from './sliding-windows.ts';
import { createWeightedWindows } from './weighted-windows.ts';

/** For an installation that is one process: the same limits, counted in its memory. A restart starts the windows again. */
export function createLocalLimiters(): Limiters {
  const tokens = createTokens();
  return {
    calls({ windowMs }) {
      let decidedMs = 0;
      const nowMs = () => {
        decidedMs = steadyNowMs();
        return decidedMs;
      };
      const windows = createSlidingWindows({ windowMs, maxKeys: maxCounted.calls, nowMs });
      return {
        async take({ accountId, plan, ...caller }) {
          const decision = windows.take(`${accountId}:${toBucket(caller)}`, plan.requestsPerMinute);
          return { decision, decidedAtUs: decidedMs * 1000, token: tokens.of(accountId) };
        },
      };
    },
    creations: ({ windowMs }) => createLocalCreations(windowMs),
    slots: ({ perAccount }) => createLocalSlots(perAccount),
    attempts: secret => createLocalAttempts({ secret }),
    async endToken(accountId) {
      tokens.end(accountId);
    },
  };
}

/** One that is forgotten for lack of room costs a read of the account's keys, no more. */
function createTokens() {
  const tokens = new LRUCache<Uuid, string>({ max: maxCounted.calls });
  let last = 0;
  return {
    of(accountId: Uuid): string {
      const known = tokens.get(accountId);
      if (known !== undefined) return known;
      const fresh = String(++last);
      tokens.set(accountId, fresh);
      return fresh;
    },
    end: (accountId: Uuid) => void tokens.delete(accountId),
  };
}

function createLocalCreations(windowMs: number): CreationLimiter {
  const windows = createWeightedWindows({ windowMs, maxKeys: maxCounted.creations });
  return {
    async take({ accountId, mode }, count, limit) {
      const decision = windows.take(`${accountId}:${mode}`, limit, count);
      if (!decision.allowed) {
        const { used, waitMs } = decision;
        const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
        return { allowed: false, possible: Math.max(0, limit - used), retryAfterSeconds };
      }
      return {
        allowed: true,
        decidedAtUs: (performance.timeOrigin + decision.entry.atMs) * 1000,
        async confirm(created) {
          decision.entry.weight = created;
        },
      };
    },
  };
}
