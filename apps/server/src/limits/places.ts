import { randomBytes } from 'node:crypto';
import type { Uuid } from '../kernel/ids.ts';
import { within } from '../kernel/within.ts';
import type { RedisClient } from '../platform/redis.ts';
import { placeScript } from './place-script.ts';

/** A place that this process holds for an account. */
export type Place = { readonly id: string; readonly takenAtMs: number };

/**
 * Places of accounts, counted in Redis over all processes. While Redis is away each process counts its own. Never throws.
 */
export type Places = {
  readonly perAccount: number;
  /** So many places, or as many as are free; it does not wait for one. */
  take(accountId: Uuid, most: number): Promise<Place[]>;
  giveBack(accountId: Uuid, place: Place): void;
  /** How many this process holds. */
  heldBy(accountId: Uuid): number;
  close(): void;
};

type Options = {
  readonly redis: RedisClient;
  /** What the places are for; part of the key in Redis. */
  readonly kind: string;
  readonly perAccount: number;
  readonly timeoutMs: number;
  readonly onAway: () => void;
  /** A process that dies loses its places after so long. */
  readonly leaseMs?: number;
};

type Run = (key: string, limit: number, leaseMs: number, ...ids: readonly string[]) => Promise<number>;

const noLimit = 1_000_000;

export function createPlaces(options: Options): Places {
  const { redis, kind, perAccount, timeoutMs, onAway, leaseMs = 5_000 } = options;
  redis.defineCommand('signpostPlaces', { numberOfKeys: 1, lua: placeScript });
  const run: Run = (...args) => (redis as unknown as { signpostPlaces: Run }).signpostPlaces(...args);
  const keyOf = (accountId: Uuid) => `signpost:{${accountId}}:${kind}`;
  const process = randomBytes(9).toString('base64url');
  const held = new Map<Uuid, Set<string>>();
  let ids = 0;
  let renewing = false;

  const heldBy = (accountId: Uuid) => held.get(accountId)?.size ?? 0;

  function hold(accountId: Uuid, id: string): Place {
    const own = held.get(accountId) ?? new Set();
    held.set(accountId, own.add(id));
    return { id, takenAtMs: performance.now() };
  }

  /** Nobody waits for this: a place that Redis is not told about is lost by itself. */
  function forget(accountId: Uuid, ids: readonly string[]): void {
    if (ids.length > 0) redis.zrem(keyOf(accountId), ...ids).catch(() => undefined);
  }

  async function renew(): Promise<void> {
    if (renewing) return;
    renewing = true;
    await Promise.allSettled(
      [...held].map(([accountId, own]) => run(keyOf(accountId), noLimit, leaseMs, ...own)),
    );
    renewing = false;
  }
  const timer = setInterval(renew, leaseMs / 4);
  timer.unref();

  return {
    perAccount,

    async take(accountId, most) {
      const asked = Array.from({ length: most }, () => `${process}.${++ids}`);
      let taken: number;
      try {
        taken = await within(timeoutMs, run(keyOf(accountId), perAccount, leaseMs, ...asked));
      } catch {
        onAway();
        taken = Math.max(0, Math.min(most, perAccount - heldBy(accountId)));
        // Redis may have heard and be late with its answer.
        forget(accountId, asked.slice(taken));
      }
      return asked.slice(0, taken).map(id => hold(accountId, id));
    },

    giveBack(accountId, { id }) {
      const own = held.get(accountId);
      if (!own?.delete(id)) return;
      if (own.size === 0) held.delete(accountId);
      forget(accountId, [id]);
    },

    heldBy,

    close() {
      clearInterval(timer);
      for (const [accountId, own] of held) forget(accountId, [...own]);
      held.clear();
    },
  };
}
