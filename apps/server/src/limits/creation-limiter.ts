import type { Caller } from '../kernel/caller.ts';
import { within } from '../kernel/within.ts';
import type { RedisClient } from '../platform/redis.ts';
import { settleScript, takeScript } from './creation-limit-script.ts';
import type { WeightedWindows } from './weighted-windows.ts';

/** Counts the codes that an account makes in each mode, over all processes. */
export type CreationLimiter = {
  /** Takes places for so many, all or none. `count` must not be more than `limit`. */
  take(caller: Pick<Caller, 'accountId' | 'mode'>, count: number, limit: number): Promise<Creation>;
};

export type Creation =
  | {
      readonly allowed: true;
      /** The moment by the clock of Redis; null where this process decided. */
      readonly decidedAtUs: number | null;
      /** Gives back the places that were not used. */
      settle(made: number): Promise<void>;
    }
  | {
      readonly allowed: false;
      /** How many could be made at this moment. */
      readonly possible: number;
      /** Whole seconds after which so many can be made. */
      readonly retryAfterSeconds: number;
    };

type Options = {
  readonly redis: RedisClient;
  /** What this process let through, and what decides while Redis is away. */
  readonly windows: WeightedWindows;
  readonly windowMs: number;
  readonly timeoutMs: number;
  readonly onAway: (error: unknown) => void;
};

type Answer = [allowed: number, sum: number, blockingUs: number, nowUs: number];

type Commands = {
  signpostMake(makes: string, total: string, limit: number, windowUs: number, count: number): Promise<Answer>;
  signpostSettle(makes: string, total: string, atUs: number, count: number, made: number): Promise<number>;
};

export function createCreationLimiter(options: Options): CreationLimiter {
  const { redis, windows, windowMs, timeoutMs, onAway } = options;
  redis.defineCommand('signpostMake', { numberOfKeys: 2, lua: takeScript });
  redis.defineCommand('signpostSettle', { numberOfKeys: 2, lua: settleScript });
  const commands = redis as unknown as Commands;

  function alone(key: string, count: number, limit: number): Creation {
    const verdict = windows.take(key, limit, count);
    if (!verdict.allowed) {
      const { used, waitMs } = verdict;
      return { allowed: false, possible: Math.max(0, limit - used), retryAfterSeconds: wholeSeconds(waitMs) };
    }
    return {
      allowed: true,
      decidedAtUs: null,
      async settle(made) {
        verdict.entry.weight = made;
      },
    };
  }

  return {
    async take({ accountId, mode }, count, limit) {
      const key = `${accountId}:${mode}`;
      const makes = `signpost:{${accountId}}:makes:${mode}`;
      const total = `${makes}:total`;
      try {
        const [allowed, sum, blockingUs, nowUs] = await within(
          timeoutMs,
          commands.signpostMake(makes, total, limit, windowMs * 1000, count),
        );
        if (allowed !== 1) {
          const waitMs = (blockingUs - nowUs) / 1000 + windowMs;
          return {
            allowed: false,
            possible: Math.max(0, limit - sum),
            retryAfterSeconds: wholeSeconds(waitMs),
          };
        }
        const entry = windows.note(key, count);
        return {
          allowed: true,
          decidedAtUs: nowUs,
          async settle(made) {
            entry.weight = made;
            if (made === count) return;
            // Without Redis the places come back by themselves, a minute later.
            await within(timeoutMs, commands.signpostSettle(makes, total, nowUs, count, made)).catch(
              () => {},
            );
          },
        };
      } catch (error) {
        onAway(error);
        return alone(key, count, limit);
      }
    },
  };
}

/** Nobody is told to wait for 0 seconds: what blocks is younger than the window. */
const wholeSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));
