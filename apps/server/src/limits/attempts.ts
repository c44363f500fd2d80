import { createHmac } from 'node:crypto';
import { AppError } from '../kernel/errors.ts';
import { within } from '../kernel/within.ts';
import type { RedisClient } from '../platform/redis.ts';
import { slidingWindow } from './rate-limit-script.ts';
import { toVerdict, type WindowAnswer } from './window-verdict.ts';

/**
 * Counts attempts at something that must not be guessed, over all processes. Unlike the rate limit it fails closed:
 * while Redis is away nobody may try, since a guesser could otherwise wait for that.
 */
export type Attempts = {
  /** Takes a place for each of these, or refuses. What it returns gives the places back: the attempt was good. */
  take(...limits: readonly AttemptLimit[]): Promise<() => Promise<void>>;
};

export type AttemptLimit = {
  /** What is attempted, and by or against whom. The subject is stored only as a keyed hash. */
  readonly what: string;
  readonly subject: string;
  readonly limit: number;
  readonly windowMs: number;
};

type Options = { readonly redis: RedisClient; readonly secret: string; readonly timeoutMs: number };

type Take = (key: string, limit: number, windowUs: number) => Promise<WindowAnswer>;

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
  const run = redis as unknown as { signpostAttempt: Take };
  const keyOf = ({ what, subject }: AttemptLimit) => {
    const hash = createHmac('sha256', secret).update(`${what}\n${subject}`).digest('base64url');
    return `signpost:attempts:${what}:${hash}`;
  };

  async function ask<Value>(question: Promise<Value>): Promise<Value> {
    try {
      return await within(timeoutMs, question);
    } catch (cause) {
      throw new AppError('unavailable', 'Sign-in is not possible for a moment. Try again shortly.', {
        cause,
        retryAfterSeconds: 2,
      });
    }
  }

  return {
    async take(...limits) {
      const taken: { key: string; at: number }[] = [];
      const giveBack = async () => {
        await Promise.all(taken.map(({ key, at }) => ask(redis.lrem(key, 1, String(at)))));
      };
      for (const one of limits) {
        const key = keyOf(one);
        const answer = await ask(run.signpostAttempt(key, one.limit, one.windowMs * 1000));
        const { allowed, retryAfterSeconds } = toVerdict(answer, one.limit, one.windowMs);
        if (!allowed) {
          await giveBack();
          throw tooMany(retryAfterSeconds);
        }
        taken.push({ key, at: answer[4] });
      }
      return giveBack;
    },
  };
}

const tooMany = (retryAfterSeconds: number) =>
  new AppError(
    'rate_limit_exceeded',
    `Too many attempts. Wait ${retryAfterSeconds < 120 ? `${retryAfterSeconds} seconds` : `${Math.ceil(retryAfterSeconds / 60)} minutes`} and try again.`,
    { retryAfterSeconds },
  );
