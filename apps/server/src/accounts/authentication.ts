import type { Authentication, Authenticators } from '../http/access/authentication.ts';
import { addressBlock } from '../kernel/addresses/client-address.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { RateDecision } from '../kernel/rate-decision.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { SlidingWindows } from '../limits/sliding-windows.ts';
import { hashApiKey, parseBearer } from './api-key.ts';
import type { KeyCache } from './key-cache.ts';
import { isAdmitted, type KeyCaller } from './key-caller.ts';
import type { KeyUses } from './key-uses.ts';
import type { AccountStore } from './store.ts';

type Parts = {
  readonly store: Pick<AccountStore, 'findCaller'>;
  readonly cache: KeyCache;
  readonly limiter: RateLimiter;
  readonly uses: KeyUses;
  readonly clock: Clock;
  /** Calls without a valid key, by address. In memory only: a bad key asks no store, and no address leaves the process. */
  readonly anonymousCalls: SlidingWindows;
  readonly anonymousPerMinute: number;
};

/** Authenticates callers of the API: by key, or as anonymous. */
export function createKeyAuthentication(parts: Parts): Pick<Authenticators, 'apiKey' | 'anonymous'> {
  const { store, cache, limiter, uses, clock, anonymousCalls, anonymousPerMinute } = parts;

  function refuse(address: string): Authentication {
    const decision = anonymousCalls.take(addressBlock(address), anonymousPerMinute);
    return { decision, refusal: decision.allowed ? unauthorized() : tooManyCalls(decision) };
  }

  /** A key that has expired, or is used from elsewhere, is refused like one that does not exist. */
  const admit = (caller: KeyCaller | null, address: string): KeyCaller | null =>
    caller && isAdmitted(caller, address, clock.now()) ? caller : null;

  return {
    async apiKey({ headers: { authorization } }, address) {
      const key = parseBearer(authorization);
      if (!key) return refuse(address);
      const hash = hashApiKey(key);
      const known = cache.get(hash);
      // What it says may be of the past: the stored key decides, and the call is not counted for the account.
      const cached = known && admit(known.caller, address) ? known : null;
      const readAtMs = performance.now();

      if (!cached) {
        // Somebody who guesses keys and has used up the limit is refused before the guess costs a query.
        const decision = anonymousCalls.look(addressBlock(address), anonymousPerMinute);
        if (!decision.allowed) return { decision, refusal: tooManyCalls(decision) };
        const caller = admit(await store.findCaller(hash), address);
        if (!caller) return refuse(address);
        const taken = await limiter.take(caller);
        // The token was read after the key, so it proves nothing about the key. The next call reads them in order.
        cache.set(hash, { caller, token: null, readAtMs });
        uses.note(caller.via.id);
        return toAuthentication(taken.decision, caller);
      }

      const { decision: first, token } = await limiter.take(cached.caller);
      let [caller, decision] = [cached.caller, first];
      if (token === null || token !== cached.token) {
        const found = admit(await store.findCaller(hash), address);
        if (!found) {
          cache.delete(hash);
          return refuse(address);
        }
        // A new limit holds for this call too. It may count twice then, which never lets more calls through.
        if (found.plan.requestsPerMinute !== caller.plan.requestsPerMinute)
          ({ decision } = await limiter.take(found));
        caller = found;
        cache.set(hash, { caller, token, readAtMs });
      }
      uses.note(caller.via.id);
      return toAuthentication(decision, caller);
    },

    anonymous: address =>
      toAuthentication(anonymousCalls.take(addressBlock(address), anonymousPerMinute), null),
  };
}

const toAuthentication = (decision: RateDecision, caller: Caller | null): Authentication =>
  decision.allowed ? { decision, caller } : { decision, refusal: tooManyCalls(decision) };

/** One message for every cause: a guesser learns nothing. */
const unauthorized = () =>
  new AppError(
    'unauthorized',
    'No valid API key was given. Send the header "Authorization: Bearer sk_live_…" with a key of your account.',
  );

const tooManyCalls = ({ limit, retryAfterSeconds }: RateDecision) =>
  new AppError(
    'rate_limit_exceeded',
    `More than ${limit} requests in a minute. Wait ${retryAfterSeconds} s and try again.`,
    { retryAfterSeconds },
  );
