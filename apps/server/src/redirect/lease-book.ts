import { within } from '../kernel/within.ts';
import type { RedisClient } from '../platform/redis.ts';
import type { LeaseBook } from './lease.ts';

/** The leases of all redirect processes, in one sorted set of Redis: who, and until when by the clock of Redis. */
export type RedisLeaseBook = LeaseBook & {
  /** Who may trust their memory at this moment, and for how much longer: whoever was struck off has until then too. */
  holders(): Promise<readonly Holder[]>;
  /** Strikes somebody off: the next renewal fails. */
  strike(ids: readonly string[]): Promise<void>;
};

export type Holder = { readonly id: string; readonly remainingMs: number };

const nowMs = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

const renewScript = `${nowMs}
local until_ = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not until_ or tonumber(until_) <= now then return 0 end
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), ARGV[1])
return 1`;

/** Whoever joins has forgotten what it knew under an earlier lease. */
const joinScript = `${nowMs}
redis.call('ZREM', KEYS[1], 'struck:' .. ARGV[1])
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), ARGV[1])
return 1`;

/** It stays in the set under another name until its time has run out, for whoever edits meanwhile. */
const strikeScript = `
for _, id in ipairs(ARGV) do
  local until_ = redis.call('ZSCORE', KEYS[1], id)
  if until_ then
    redis.call('ZREM', KEYS[1], id)
    redis.call('ZADD', KEYS[1], until_, 'struck:' .. id)
  end
end
return 1`;

const holdersScript = `${nowMs}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local found = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
for i = 2, #found, 2 do found[i] = tostring(tonumber(found[i]) - now) end
return found`;

export function createLeaseBook(
  redis: RedisClient,
  timeoutMs: number,
  key = 'signpost:leases',
): RedisLeaseBook {
  const run = (script: string, ...args: (string | number)[]) =>
    within(timeoutMs, redis.eval(script, 1, key, ...args));
  return {
    async join(id, leaseMs) {
      await run(joinScript, id, leaseMs);
    },
    async renew(id, leaseMs) {
      return (await run(renewScript, id, leaseMs)) === 1;
    },
    async leave(id) {
      await within(timeoutMs, redis.zrem(key, id, `struck:${id}`));
    },
    async holders() {
      const flat = (await run(holdersScript)) as string[];
      return Array.from({ length: flat.length / 2 }, (_, i) => ({
        id: flat[2 * i]!.replace(/^struck:/, ''),
        remainingMs: Number(flat[2 * i + 1]),
      }));
    },
    async strike(ids) {
      if (ids.length > 0) await run(strikeScript, ...ids);
    },
  };
}
