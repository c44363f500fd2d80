import { parseHostHeader } from '../kernel/addresses/hosts.ts';
import type { Clock } from '../kernel/clock.ts';
import type { RedisClient } from '../platform/redis/redis.ts';

/** Names that were asked for in the last day and that neither the service nor an account has, for the operator to look at. */
export type UnknownHosts = {
  /** By a Host header. Waits for nothing. */
  note(header: string | undefined): void;
  list(): Promise<readonly string[]>;
};

/** Whoever sends requests chooses the names: no more of them are kept. */
export const maxUnknownHosts = 100;
const dayMs = 24 * 60 * 60_000;
/** How often a name that is asked for again is written. */
const renewMs = 60 * 60_000;
const key = 'signpost:unknown-hosts';

/** An address is asked for by probes, and a name without a dot is a machine of the same network. */
const publicName = /\.[^.]*[a-z][^.]*$/;

/** In the memory of the only process. */
export function createUnknownHosts(clock: Clock): UnknownHosts {
  const names = createNames(clock);
  return { note: names.note, list: async () => names.list() };
}

/** Of all processes, by Redis. `onError` hears of each name that could not be written; it is tried again an hour later. */
export function createSharedUnknownHosts(
  clock: Clock,
  redis: RedisClient,
  onError: (error: unknown) => void,
): UnknownHosts {
  const names = createNames(clock, host => {
    writeName(redis, host, clock.now().getTime()).catch(onError);
  });
  return { note: names.note, list: () => readUnknownHosts(redis, clock.now()) };
}

/** The newest come first. */
export const readUnknownHosts = (redis: Pick<RedisClient, 'zrange'>, now: Date): Promise<readonly string[]> =>
  redis.zrange(key, '+inf', `(${now.getTime() - dayMs}`, 'BYSCORE', 'REV');

async function writeName(redis: RedisClient, host: string, nowMs: number): Promise<void> {
  await redis
    .multi()
    .zadd(key, nowMs, host)
    .zremrangebyscore(key, '-inf', nowMs - dayMs)
    .zremrangebyrank(key, 0, -maxUnknownHosts - 1)
    .pexpire(key, dayMs)
    .exec();
}

function createNames(clock: Clock, onRenewed: (host: string) => void = () => {}) {
  /** When each was asked for, the longest ago first. */
  const seenMs = new Map<string, number>();
  const writtenMs = new Map<string, number>();

  function forgetOld(nowMs: number): void {
    for (const [host, at] of seenMs) {
      if (at > nowMs - dayMs) return;
      seenMs.delete(host);
      writtenMs.delete(host);
    }
  }

  return {
    note(header: string | undefined): void {
      const host = parseHostHeader(header);
      if (!publicName.test(host)) return;
      const nowMs = clock.now().getTime();
      forgetOld(nowMs);
      if (!seenMs.has(host) && seenMs.size >= maxUnknownHosts) return;
      seenMs.delete(host);
      seenMs.set(host, nowMs);
      if (nowMs - (writtenMs.get(host) ?? Number.NEGATIVE_INFINITY) < renewMs) return;
      writtenMs.set(host, nowMs);
      onRenewed(host);
    },
    list(): readonly string[] {
      forgetOld(clock.now().getTime());
      return [...seenMs.keys()].reverse();
    },
  };
}
