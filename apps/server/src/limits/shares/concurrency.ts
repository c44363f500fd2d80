import { randomBytes } from 'node:crypto';
import type { Uuid } from '../../kernel/ids.ts';
import { withTimeout } from '../../kernel/running/with-timeout.ts';
import { poll } from '../../platform/background-jobs.ts';
import type { RedisClient } from '../../platform/redis/redis.ts';
import { slotScript } from './concurrency-script.ts';

/** A slot that this process holds for an account. */
export type Slot = { readonly id: string; readonly takenAtMs: number };

/** The slots of each account, counted in Redis over all processes. Without Redis each process counts its own. Never throws. */
export type ConcurrencySlots = {
  readonly perAccount: number;
  /** This many slots, or as many as are free; it does not wait for one. */
  take(accountId: Uuid, most: number): Promise<Slot[]>;
  release(accountId: Uuid, slot: Slot): void;
  /** How many this process holds. */
  heldBy(accountId: Uuid): number;
  close(): void;
};

type Options = {
  readonly redis: RedisClient;
  /** What the slots are for; part of the key in Redis. */
  readonly kind: string;
  readonly perAccount: number;
  readonly timeoutMs: number;
  readonly onAway: () => void;
  /** A process that dies loses its slots after this long. */
  readonly leaseMs?: number;
};

type Run = (key: string, limit: number, leaseMs: number, ...ids: readonly string[]) => Promise<number>;

const noLimit = 1_000_000;

export function createConcurrencySlots(options: Options): ConcurrencySlots {
  const { redis, kind, perAccount, timeoutMs, onAway, leaseMs = 5_000 } = options;
  redis.defineCommand('signpostTakeSlots', { numberOfKeys: 1, lua: slotScript });
  const run: Run = (...args) => (redis as unknown as { signpostTakeSlots: Run }).signpostTakeSlots(...args);
  const toKey = (accountId: Uuid) => `signpost:{${accountId}}:${kind}`;
  const process = randomBytes(9).toString('base64url');
  const held = new Map<Uuid, Set<string>>();
  let lastId = 0;

  const heldBy = (accountId: Uuid) => held.get(accountId)?.size ?? 0;

  function hold(accountId: Uuid, id: string): Slot {
    const ids = held.get(accountId) ?? new Set();
    held.set(accountId, ids.add(id));
    return { id, takenAtMs: performance.now() };
  }

  /** Nothing waits for this: a slot that Redis still counts is free when its lease ends. */
  function free(accountId: Uuid, ids: readonly string[]): void {
    if (ids.length > 0) redis.zrem(toKey(accountId), ...ids).catch(() => undefined);
  }

  async function renew(): Promise<void> {
    await Promise.allSettled(
      [...held].map(([accountId, ids]) => run(toKey(accountId), noLimit, leaseMs, ...ids)),
    );
  }
  const stopRenewing = poll(leaseMs / 4, renew);

  return {
    perAccount,

    async take(accountId, most) {
      const ids = Array.from({ length: most }, () => `${process}.${++lastId}`);
      let taken: number;
      try {
        taken = await withTimeout(timeoutMs, run(toKey(accountId), perAccount, leaseMs, ...ids));
      } catch {
        onAway();
        taken = Math.max(0, Math.min(most, perAccount - heldBy(accountId)));
        // Redis may have counted them all and only be late with its answer.
        free(accountId, ids.slice(taken));
      }
      return ids.slice(0, taken).map(id => hold(accountId, id));
    },

    release(accountId, { id }) {
      const ids = held.get(accountId);
      if (!ids?.delete(id)) return;
      if (ids.size === 0) held.delete(accountId);
      free(accountId, [id]);
    },

    heldBy,

    close() {
      void stopRenewing();
      for (const [accountId, ids] of held) free(accountId, [...ids]);
      held.clear();
    },
  };
}
