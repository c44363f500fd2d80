import type { RedisClient } from '../platform/redis.ts';
import { hostRateScript } from './host-rate-script.ts';
import { createLocalRates } from './local-rates.ts';
import { createRedisTime } from './redis-time.ts';
import type { Ask, Limits, Turns } from './turns.ts';

/** Says when tries may be made, so that no host gets more of them than its rate, over all processes. */
export type HostRates = {
  take(ask: Ask): Promise<Turns>;
};

type Parts = {
  readonly redis: RedisClient;
  readonly limits: Limits;
  /** Whether Redis decides, or this process by itself. */
  readonly onShared: (isShared: boolean, error?: unknown) => void;
};

/** An account that wanted more than its share of a host is remembered as one for so long. */
const wantingMs = 2_000;
/** After Redis has failed it is left alone for a moment, so that not every try waits for it. */
const restMs = 1_000;
const mostAtOnce = 200;

/** While Redis is away every process keeps to the rates by itself: with three of them a host may get three times as much. */
export function createHostRates({ redis, limits, onShared }: Parts): HostRates {
  const run = defineScript(redis);
  const local = createLocalRates(limits);
  const time = createRedisTime();
  let restsUntilMs = 0;

  async function ask(one: Ask): Promise<Turns> {
    const [rate, total] = [one.rate ?? limits.rate, limits.rate * limits.allTimes];
    const prefix = `signpost:{${one.host}}:hooks:`;
    const askedMs = performance.now();
    const [nowUs, isOwnLimit, given, ...offsets] = await run(
      `${prefix}of:${one.accountId}`,
      `${prefix}wanting`,
      `${prefix}unproven:${one.unproven}`,
      `${prefix}unproven-line:${one.unproven}`,
      // A grid of another density, of before the setting was changed, is another grid.
      `${prefix}grid:${total}:`,
      one.accountId,
      one.kind,
      one.count,
      rate,
      total,
      limits.aheadMs[one.kind] * 1000,
      one.unproven ? limits.unprovenMost : 0,
      limits.unprovenWindowMs * 1000,
      wantingMs * 1000,
      Math.round((one.leadMs ?? 0) * 1000),
      limits.aheadMs.live * 1000,
    );
    time.note(nowUs / 1000, askedMs, performance.now());
    const decidedUs = offsets.slice(0, given).map(offset => nowUs + offset);
    return {
      slotsMs: decidedUs.map(atUs => time.toLocal(atUs / 1000)),
      waitsMs: offsets.slice(given).map(offset => offset / 1000),
      decidedUs,
      reason: isOwnLimit === 1 ? 'first_success' : 'host_rate',
      spacingMs: 1000 / rate,
    };
  }

  async function takeSome(one: Ask): Promise<Turns> {
    if (performance.now() < restsUntilMs) return local.take(one);
    try {
      const turns = await ask(one);
      local.note(one, turns.slotsMs);
      onShared(true);
      return turns;
    } catch (error) {
      restsUntilMs = performance.now() + restMs;
      onShared(false, error);
      return local.take(one);
    }
  }

  return {
    async take(one) {
      const turns: Turns[] = [];
      for (let left = one.count; left > 0; left -= mostAtOnce)
        turns.push(await takeSome({ ...one, count: Math.min(left, mostAtOnce) }));
      return turns.length === 1 ? turns[0]! : joined(turns);
    },
  };
}

const joined = (turns: readonly Turns[]): Turns => ({
  slotsMs: turns.flatMap(({ slotsMs }) => slotsMs),
  waitsMs: turns.flatMap(({ waitsMs }) => waitsMs),
  decidedUs: turns.every(({ decidedUs }) => decidedUs) ? turns.flatMap(({ decidedUs }) => decidedUs!) : null,
  reason: turns.at(-1)!.reason,
  spacingMs: turns.at(-1)!.spacingMs,
});

type Run = (...args: readonly (string | number)[]) => Promise<[number, number, number, ...number[]]>;

function defineScript(redis: RedisClient): Run {
  redis.defineCommand('signpostHostRate', { numberOfKeys: 4, lua: hostRateScript });
  const commands = redis as unknown as { signpostHostRate: Run };
  return (...args) => commands.signpostHostRate(...args);
}
