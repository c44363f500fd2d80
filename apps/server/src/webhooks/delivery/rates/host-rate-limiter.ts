import type { RedisClient } from '../../../platform/redis/redis.ts';
import { hostRateLimiterScript } from './host-rate-limiter-script.ts';
import { createLocalRateLimiter } from './local-rate-limiter.ts';
import type { RateDecision, RateLimits, ReservationRequest } from './rate-reservation.ts';
import { createRedisClock } from './redis-clock.ts';

/** Reserves times for attempts, so that no host gets more of them than its rate, over all processes. */
export type HostRateLimiter = {
  reserve(request: ReservationRequest): Promise<RateDecision>;
};

type Parts = {
  readonly redis: RedisClient;
  readonly limits: RateLimits;
  /** Called with every decision: whether Redis made it, or this process by itself. */
  readonly onShared: (isShared: boolean, error?: unknown) => void;
};

/** An account that asked for more than its share of a host counts as saturated for this long. */
const saturatedMs = 2_000;
/** After an error Redis is not asked for this long, so that not every attempt waits for it. */
const backOffMs = 1_000;
const maxPerScript = 200;

/** While Redis is away, each process keeps the limits by itself: with three processes a host may get three times as much. */
export function createHostRateLimiter({ redis, limits, onShared }: Parts): HostRateLimiter {
  const runScript = defineScript(redis);
  const local = createLocalRateLimiter(limits);
  const redisClock = createRedisClock();
  let backsOffUntilMs = 0;

  async function reserveInRedis(request: ReservationRequest): Promise<RateDecision> {
    const { host, accountId, kind, count, unproven, leadMs = 0 } = request;
    const [rate, total] = [request.rate ?? limits.rate, limits.rate * limits.allAccountsFactor];
    const prefix = `signpost:{${host}}:hooks:`;
    const sentMs = performance.now();
    const [nowUs, isEndpointLimit, reserved, ...offsetsUs] = await runScript(
      `${prefix}of:${accountId}`,
      `${prefix}saturated`,
      `${prefix}unproven:${unproven}`,
      `${prefix}unproven-queue:${unproven}`,
      // Another rate has a grid of another density, so it needs other keys.
      `${prefix}grid:${total}:`,
      accountId,
      kind,
      count,
      rate,
      total,
      limits.horizonMs[kind] * 1000,
      unproven ? limits.unprovenAttempts : 0,
      limits.unprovenWindowMs * 1000,
      saturatedMs * 1000,
      Math.round(leadMs * 1000),
      limits.horizonMs.new * 1000,
    );
    redisClock.note(nowUs / 1000, sentMs, performance.now());
    const decidedUs = offsetsUs.slice(0, reserved).map(offset => nowUs + offset);
    return {
      reservedMs: decidedUs.map(atUs => redisClock.toLocal(atUs / 1000)),
      waitsMs: offsetsUs.slice(reserved).map(offset => offset / 1000),
      decidedUs,
      reason: isEndpointLimit === 1 ? 'first_success' : 'host_rate',
      spacingMs: 1000 / rate,
    };
  }

  async function reserve(request: ReservationRequest): Promise<RateDecision> {
    if (performance.now() < backsOffUntilMs) return local.reserve(request);
    try {
      const decision = await reserveInRedis(request);
      local.note(request, decision.reservedMs);
      onShared(true);
      return decision;
    } catch (error) {
      backsOffUntilMs = performance.now() + backOffMs;
      onShared(false, error);
      return local.reserve(request);
    }
  }

  return {
    async reserve(request) {
      const decisions: RateDecision[] = [];
      for (let left = request.count; left > 0; left -= maxPerScript)
        decisions.push(await reserve({ ...request, count: Math.min(left, maxPerScript) }));
      return decisions.length === 1 ? decisions[0]! : concat(decisions);
    },
  };
}

const concat = (decisions: readonly RateDecision[]): RateDecision => ({
  reservedMs: decisions.flatMap(({ reservedMs }) => reservedMs),
  waitsMs: decisions.flatMap(({ waitsMs }) => waitsMs),
  decidedUs: decisions.every(({ decidedUs }) => decidedUs)
    ? decisions.flatMap(({ decidedUs }) => decidedUs!)
    : null,
  reason: decisions.at(-1)!.reason,
  spacingMs: decisions.at(-1)!.spacingMs,
});

type RunScript = (...args: readonly (string | number)[]) => Promise<[number, number, number, ...number[]]>;

function defineScript(redis: RedisClient): RunScript {
  redis.defineCommand('signpostHostRate', { numberOfKeys: 4, lua: hostRateLimiterScript });
  const commands = redis as unknown as { signpostHostRate: RunScript };
  return (...args) => commands.signpostHostRate(...args);
}
