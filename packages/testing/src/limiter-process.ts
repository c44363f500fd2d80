import { setTimeout as sleep } from 'node:timers/promises';
import type { Plan } from '../../../apps/server/src/kernel/caller.ts';
import { createRateLimiter } from '../../../apps/server/src/limits/rate-limiter.ts';
import { createSlidingWindows } from '../../../apps/server/src/limits/sliding-windows.ts';
import { createRedis } from '../../../apps/server/src/platform/redis/redis.ts';

/** One of several processes that limit the same accounts. Messages say which calls to make, and when. */
export type Pattern = {
  readonly account: string;
  readonly limit: number;
  readonly arrivalsMs: readonly number[];
};

export type Order = { readonly patterns: readonly Pattern[]; readonly atOnce: number };

/** The times at which calls were allowed, in microseconds of Redis's clock, by account. */
export type Outcome = {
  readonly passedUs: Record<string, number[]>;
  readonly refused: number;
  readonly alone: number;
};

const windowMs = Number(process.env.WINDOW_MS);
const redis = createRedis({ redisUrl: process.env.REDIS_URL!, redisTimeoutMs: 5000 }, () => {});
let alone = 0;
const limiter = createRateLimiter({
  redis,
  windows: createSlidingWindows({ windowMs, maxKeys: 10_000 }),
  windowMs,
  // The test is about counting: no call may time out and fall back to the local limit.
  timeoutMs: 30_000,
  onAway: () => {
    alone++;
  },
});

process.on('message', async (order: Order) => process.send!(await perform(order)));
redis.once('ready', () => process.send!('ready'));
process.once('disconnect', () => redis.disconnect());

async function perform({ patterns, atOnce }: Order): Promise<Outcome> {
  const passedUs: Record<string, number[]> = {};
  let refused = 0;
  const queue = [...patterns];
  const worker = async () => {
    for (let pattern = queue.shift(); pattern; pattern = queue.shift()) {
      const { account, limit, arrivalsMs } = pattern;
      const passed: number[] = [];
      passedUs[account] = passed;
      const start = performance.now();
      await Promise.all(
        arrivalsMs.map(async atMs => {
          await sleep(Math.max(0, atMs - (performance.now() - start)));
          const { decision, decidedAtUs } = await limiter.take({
            accountId: account,
            mode: 'live',
            plan: planOf(limit),
          });
          if (decision.allowed) passed.push(decidedAtUs ?? Number.NaN);
          else refused++;
        }),
      );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { passedUs, refused, alone };
}

const planOf = (requestsPerMinute: number): Plan => ({
  name: 'x',
  requestsPerMinute,
  codeQuota: null,
  quotaScope: 'pool',
  webhooks: false,
  sessionCodes: null,
  testCodes: null,
  creationsPerMinute: null,
});
