import { randomBytes } from 'node:crypto';
import type { Caller } from '../kernel/caller.ts';
import type { SlidingWindows, Verdict } from '../kernel/sliding-windows.ts';
import { within } from '../kernel/within.ts';
import type { RedisClient } from '../platform/redis.ts';
import { rateLimitScript } from './rate-limit-script.ts';
import { toVerdict, type WindowAnswer } from './window-verdict.ts';

/** Counts the calls of an account over all processes. */
export type RateLimiter = {
  take(caller: Pick<Caller, 'accountId' | 'mode' | 'plan'>): Promise<Taken>;
};

/** The verdict, and where Redis gave it: the moment by its clock, and the account's token. */
export type Taken = {
  readonly verdict: Verdict;
  readonly decidedAtUs: number | null;
  readonly token: string | null;
};

type Options = {
  readonly redis: RedisClient;
  /** What this process let through, and what decides while Redis is away. */
  readonly windows: SlidingWindows;
  readonly windowMs: number;
  readonly timeoutMs: number;
  readonly onAway: (error: unknown) => void;
};

type ScriptAnswer = [...WindowAnswer, token: string];

export function createRateLimiter({ redis, windows, windowMs, timeoutMs, onAway }: Options): RateLimiter {
  const run = defineScript(redis);
  const process = randomBytes(9).toString('base64url');
  let tokens = 0;
  return {
    async take({ accountId, mode, plan }) {
      const key = `${accountId}:${mode}`;
      const limit = plan.requestsPerMinute;
      try {
        const fresh = `${process}.${++tokens}`;
        const keys = [`signpost:{${accountId}}:calls:${mode}`, tokenKey(accountId)] as const;
        const answer = await within(timeoutMs, run(...keys, limit, windowMs * 1000, fresh));
        const verdict = toVerdict(answer, limit, windowMs);
        if (verdict.allowed) windows.note(key);
        return { verdict, decidedAtUs: answer[4], token: answer[5] };
      } catch (error) {
        onAway(error);
        return { verdict: windows.take(key, limit), decidedAtUs: null, token: null };
      }
    },
  };
}

/** Where the account's token is kept; see `accounts/key-cache.ts`. */
export const tokenKey = (accountId: string) => `signpost:{${accountId}}:token`;

type Run = (
  calls: string,
  token: string,
  limit: number,
  windowUs: number,
  fresh: string,
) => Promise<ScriptAnswer>;

function defineScript(redis: RedisClient): Run {
  redis.defineCommand('signpostTake', { numberOfKeys: 2, lua: rateLimitScript });
  const commands = redis as unknown as { signpostTake: Run };
  return (...args) => commands.signpostTake(...args);
}
