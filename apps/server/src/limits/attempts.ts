import { createHmac } from 'node:crypto';
import { AppError } from '../kernel/errors.ts';
import { withTimeout } from '../kernel/running/with-timeout.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { slidingWindow } from './rate-limit-script.ts';
import { type SlidingWindowAnswer, toDecision } from './sliding-window-decision.ts';

/**
 * Limits attempts at something that must not be guessed, over all processes. Unlike the rate limit it fails closed:
 * without Redis every attempt is refused, since a guesser could otherwise wait for an outage.
 */
export type Attempts = {
  /** Counts an attempt against each limit, or refuses it. What it returns uncounts the attempt: it was successful. */
  take(...limits: readonly AttemptLimit[]): Promise<() => Promise<void>>;
};

export type AttemptLimit = {
  /** What is attempted, and by whom or against whom. The subject is stored only as a keyed hash. */
  readonly what: string;
  readonly subject: string;
  readonly limit: number;
  readonly windowMs: number;
};

type Options = { readonly redis: RedisClient; readonly secret: string; readonly timeoutMs: number };

type Take = (key: string, limit: number, windowUs: number) => Promise<SlidingWindowAnswer>;

const script = `
local calls = KEYS[1]
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
${slidingWindow}
return { allowed, count, blocking, newest, now }
`;

export function createAttempts({ redis, secret, timeoutMs }: Options): Attempts {
  redis.defineCommand('signpostAttempt', { numberOfKeys: 1, lua: script });
  const commands = redis as unknown as { signpostAttempt: Take };
  const toKey = ({ what, subject }: AttemptLimit) => {
    const hash = createHmac('sha256', secret).update(`${what}\n${subject}`).digest('base64url');
    return `signpost:attempts:${what}:${hash}`;
  };

  async function pingRedis<Value>(answer: Promise<Value>): Promise<Value> {
    try {
      return await withTimeout(timeoutMs, answer);
    } catch (cause) {
      throw new AppError('unavailable', "The server can't do this right now. Try again in a moment.", {
        cause,
        retryAfterSeconds: 2,
      });
    }
  }

  return {
    async take(...limits) {
      const counted: { key: string; atUs: number }[] = [];
      const uncount = async () => {
        await Promise.all(counted.map(({ key, atUs }) => pingRedis(redis.lrem(key, 1, String(atUs)))));
      };
      for (const attempt of limits) {
        const { limit, windowMs } = attempt;
        const key = toKey(attempt);
        const answer = await pingRedis(commands.signpostAttempt(key, limit, windowMs * 1000));
        const { allowed, retryAfterSeconds } = toDecision(answer, limit, windowMs);
        if (!allowed) {
          await uncount();
          throw tooManyAttempts(retryAfterSeconds);
        }
        counted.push({ key, atUs: answer[4] });
      }
      return uncount;
    },
  };
}

export const tooManyAttempts = (retryAfterSeconds: number) =>
  new AppError(
    'rate_limit_exceeded',
    `Too many attempts. Wait ${retryAfterSeconds < 120 ? `${retryAfterSeconds} seconds` : `${Math.ceil(retryAfterSeconds / 60)} minutes`} and try again.`,
    { retryAfterSeconds },
  );
