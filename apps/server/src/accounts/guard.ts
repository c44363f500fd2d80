import type { Admission, Guard } from '../http/guard.ts';
import { addressBlock } from '../kernel/client-address.ts';
import { AppError } from '../kernel/errors.ts';
import type { SlidingWindows, Verdict } from '../kernel/sliding-windows.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { hashApiKey, parseBearer } from './api-key.ts';
import type { KeyCache } from './key-cache.ts';
import type { KeyUses } from './key-uses.ts';
import type { AccountStore } from './store.ts';

type Parts = {
  readonly store: Pick<AccountStore, 'findCaller'>;
  readonly cache: KeyCache;
  readonly limiter: RateLimiter;
  readonly uses: KeyUses;
  /** Calls without a good key, by address. In memory only: a bad key asks no store, and no address leaves the process. */
  readonly anonymous: SlidingWindows;
  readonly anonymousPerMinute: number;
};

export function createGuard({ store, cache, limiter, uses, anonymous, anonymousPerMinute }: Parts): Guard {
  function refuse(address: string): Admission {
    const verdict = anonymous.take(addressBlock(address), anonymousPerMinute);
    return { verdict, refusal: verdict.allowed ? unauthorized() : tooMany(verdict) };
  }

  return {
    async admit(authorization, address) {
      const key = parseBearer(authorization);
      if (!key) return refuse(address);
      const hash = hashApiKey(key);
      const cached = cache.get(hash);
      const readAtMs = performance.now();

      if (!cached) {
        // A guesser that has used up its calls is turned away before it costs a query.
        const standing = anonymous.look(addressBlock(address), anonymousPerMinute);
        if (!standing.allowed) return { verdict: standing, refusal: tooMany(standing) };
        const caller = await store.findCaller(hash);
        if (!caller) return refuse(address);
        const { verdict } = await limiter.take(caller);
        // The token was read after the key: it proves nothing about it. The next call reads in the right order.
        cache.set(hash, { caller, token: null, readAtMs });
        uses.note(caller.via.id);
        return verdict.allowed ? { verdict, caller } : { verdict, refusal: tooMany(verdict) };
      }

      const { verdict, token } = await limiter.take(cached.caller);
      let { caller } = cached;
      if (token === null || token !== cached.token) {
        const found = await store.findCaller(hash);
        if (!found) {
          cache.delete(hash);
          return refuse(address);
        }
        caller = found;
        cache.set(hash, { caller, token, readAtMs });
      }
      uses.note(caller.via.id);
      return verdict.allowed ? { verdict, caller } : { verdict, refusal: tooMany(verdict) };
    },

    admitAnybody(address) {
      const verdict = anonymous.take(addressBlock(address), anonymousPerMinute);
      return verdict.allowed ? { verdict, caller: null } : { verdict, refusal: tooMany(verdict) };
    },
  };
}

/** One message for every cause: a guesser learns nothing. */
const unauthorized = () =>
  new AppError(
    'unauthorized',
    'No valid API key was given. Send the header "Authorization: Bearer sk_live_…" with a key of your account.',
  );

const tooMany = (verdict: Verdict) =>
  new AppError(
    'rate_limit_exceeded',
    `More than ${verdict.limit} requests in a minute. Wait ${verdict.retryAfterSeconds} s and try again.`,
    { retryAfterSeconds: verdict.retryAfterSeconds },
  );
