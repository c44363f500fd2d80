import { randomBytes } from 'node:crypto';
import type { Caller } from '../kernel/caller.ts';
import type { RateDecision } from '../kernel/rate-decision.ts';
import { withTimeout } from '../kernel/running/with-timeout.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { rateLimitScript } from './rate-limit-script.ts';
import { type SlidingWindowAnswer, toDecision } from './sliding-window-decision.ts';
import type { SlidingWindows } from './sliding-windows.ts';

/** Limits the calls of an account over all processes. */
export type RateLimiter = {
  take(caller: Pick<Caller, 'accountId' | 'mode' | 'plan' | 'countedApart'>): Promise<Taken>;
};

/** Whose calls are counted together, within an account. */
export const toBucket = ({ mode, countedApart }: Pick<Caller, 'mode' | 'countedApart'>) =>
  countedApart ? 'operator' : mode;

/** The decision, and if Redis made it: the time by its clock, and the account's token. */
type Taken = {
  readonly decision: RateDecision;
  readonly decidedAtUs: number | null;
  readonly token: string | null;
};

type Options = {
  readonly redis: RedisClient;
  /** What this process allowed; decides while Redis is away. */
  readonly windows: SlidingWindows;
  readonly windowMs: number;
  readonly timeoutMs: number;
  readonly onAway: (error: unknown) => void;
};

type ScriptAnswer = [...SlidingWindowAnswer, token: string];

export function createRateLimiter({ redis, windows, windowMs, timeoutMs, onAway }: Options): RateLimiter {
  const run = defineScript(redis);
  const process = randomBytes(9).toString('base64url');
  let lastToken = 0;
  return {
    async take({ accountId, plan, ...caller }) {
      const bucket = toBucket(caller);
      const key = `${accountId}:${bucket}`;
      const limit = plan.requestsPerMinute;
      try {
        const fresh = `${process}.${++lastToken}`;
        const keys = [`signpost:{${accountId}}:calls:${bucket}`, tokenKey(accountId)] as const;
        const answer = await withTimeout(timeoutMs, run(...keys, limit, windowMs * 1000, fresh));
        const decision = toDecision(answer, limit, windowMs);
        if (decision.allowed) windows.note(key);
        return { decision, decidedAtUs: answer[4], token: answer[5] };
      } catch (error) {
        onAway(error);
        return { decision: windows.take(key, limit), decidedAtUs: null, token: null };
      }
    },
  };
}

/** The key of the account's token; see `accounts/key-cache.ts`. */
export const tokenKey = (accountId: string) => `signpost:{${accountId}}:token`;

type Run = (
  calls: string,
  token: string,
  limit: number,
  windowUs: number,
  fresh: string,
) => Promise<ScriptAnswer>;

function defineScript(redis: RedisClient): Run {
  redis.defineCommand('signpostTakeCall', { numberOfKeys: 2, lua: rateLimitScript });
  const commands = redis as unknown as { signpostTakeCall: Run };
  return (...args) => commands.signpostTakeCall(...args);
}
