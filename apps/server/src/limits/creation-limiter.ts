import type { Caller } from '../kernel/caller.ts';
import { withTimeout } from '../kernel/running/with-timeout.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { confirmScript, takeScript } from './creation-limit-script.ts';
import type { WeightedWindows } from './weighted-windows.ts';

/** What is limited: codes by default. */
export type CreationKind = 'creations' | 'test-scans';

/** Limits the codes that an account creates in each mode, or its test scans, over all processes. */
export type CreationLimiter = {
  /** Counts this many, all or none. `count` must not be more than `limit`. */
  take(caller: Pick<Caller, 'accountId' | 'mode'>, count: number, limit: number): Promise<Creation>;
};

type Creation =
  | {
      readonly allowed: true;
      /** The time by the clock of Redis; null where this process decided. */
      readonly decidedAtUs: number | null;
      /** Uncounts those that were not created. */
      confirm(created: number): Promise<void>;
    }
  | {
      readonly allowed: false;
      /** How many could be created now. */
      readonly possible: number;
      /** Whole seconds after which all of them can be created. */
      readonly retryAfterSeconds: number;
    };

type Options = {
  readonly redis: RedisClient;
  /** What is counted; each kind has its own keys. */
  readonly kind?: CreationKind;
  /** What this process allowed; decides while Redis is away. */
  readonly windows: WeightedWindows;
  readonly windowMs: number;
  readonly timeoutMs: number;
  readonly onAway: (error: unknown) => void;
};

type Answer = [allowed: number, sum: number, blockingUs: number, nowUs: number];

type Commands = {
  signpostTakeCreations(
    creations: string,
    total: string,
    limit: number,
    windowUs: number,
    count: number,
  ): Promise<Answer>;
  signpostSettleCreations(
    creations: string,
    total: string,
    atUs: number,
    count: number,
    created: number,
  ): Promise<number>;
};

export function createCreationLimiter(options: Options): CreationLimiter {
  const { redis, windows, windowMs, timeoutMs, onAway, kind = 'creations' } = options;
  redis.defineCommand('signpostTakeCreations', { numberOfKeys: 2, lua: takeScript });
  redis.defineCommand('signpostSettleCreations', { numberOfKeys: 2, lua: confirmScript });
  const commands = redis as unknown as Commands;

  function takeLocally(key: string, count: number, limit: number): Creation {
    const decision = windows.take(key, limit, count);
    if (!decision.allowed) {
      const { used, waitMs } = decision;
      return { allowed: false, possible: Math.max(0, limit - used), retryAfterSeconds: wholeSeconds(waitMs) };
    }
    return {
      allowed: true,
      decidedAtUs: null,
      async confirm(created) {
        decision.entry.weight = created;
      },
    };
  }

  return {
    async take({ accountId, mode }, count, limit) {
      const key = `${accountId}:${mode}`;
      const creations = `signpost:{${accountId}}:${kind}:${mode}`;
      const total = `${creations}:total`;
      try {
        const [allowed, sum, blockingUs, nowUs] = await withTimeout(
          timeoutMs,
          commands.signpostTakeCreations(creations, total, limit, windowMs * 1000, count),
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
          async confirm(created) {
            entry.weight = created;
            if (created === count) return;
            // Without Redis they leave the window by themselves, a minute later.
            await withTimeout(
              timeoutMs,
              commands.signpostSettleCreations(creations, total, nowUs, count, created),
            ).catch(() => {});
          },
        };
      } catch (error) {
        onAway(error);
        return takeLocally(key, count, limit);
      }
    },
  };
}

/** The blocking entry is younger than the window: nobody is told to wait for 0 seconds. */
const wholeSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));
