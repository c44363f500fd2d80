import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';
import { within } from '../kernel/within.ts';
import type { RedisClient } from '../platform/redis.ts';
import type { KeyForgetter } from './service.ts';

/**
 * Remembers whose key is whose, in a way that keeps revocation immediate.
 *
 * Each account has a token in Redis, which every call reads in the same step that counts the call. An entry is
 * good only while the token is the one that was read BEFORE the entry was read from PostgreSQL. A revocation
 * commits in PostgreSQL and then deletes the token: from there on no entry anywhere matches. Without Redis
 * nothing matches either, and every call asks PostgreSQL.
 */
export type KeyCache = {
  get(hash: string): CachedKey | null;
  /** `token` and `readAtMs` (of `performance.now()`) must have been taken before the caller was read. */
  set(hash: string, entry: CachedKey): void;
  delete(hash: string): void;
};

export type CachedKey = { readonly caller: Caller; readonly token: string | null; readonly readAtMs: number };

/** The longest that an entry is used, whatever Redis says: bounds the harm of a Redis that forgot a deletion. */
export const cachedKeyLifeMs = 5000;

export function createKeyCache(maxKeys: number, nowMs = () => performance.now()): KeyCache {
  const entries = new Map<string, CachedKey>();
  return {
    get(hash) {
      const entry = entries.get(hash);
      if (!entry) return null;
      return nowMs() - entry.readAtMs < cachedKeyLifeMs ? entry : { ...entry, token: null };
    },
    set(hash, entry) {
      entries.delete(hash);
      entries.set(hash, entry);
      if (entries.size > maxKeys) entries.delete(entries.keys().next().value!);
    },
    delete(hash) {
      entries.delete(hash);
    },
  };
}

/**
 * Deletes the account's token. Where Redis cannot be reached from here, some process may still reach it and trust
 * its cache, so this waits until every entry read before has outlived its life.
 */
export function createKeyForgetter(
  redis: RedisClient,
  tokenKey: (accountId: Uuid) => string,
  timeoutMs: number,
  wait: (ms: number) => Promise<unknown> = sleep,
): KeyForgetter {
  return {
    async forget(accountId) {
      try {
        await within(timeoutMs, redis.del(tokenKey(accountId)));
      } catch {
        // The one thing to do about any failure is to wait, which is as good as a deletion.
        await wait(cachedKeyLifeMs);
      }
    },
  };
}
