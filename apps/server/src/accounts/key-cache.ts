import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Uuid } from '../kernel/ids.ts';
import type { KeyCaller } from './key-caller.ts';
import type { KeyInvalidator } from './service.ts';

/**
 * Caches which caller a key belongs to, in a way that keeps revocation immediate.
 *
 * Each account has a token in Redis, which every call reads in the same step that counts the call. An entry is valid only
 * while the token is the one that was read BEFORE the entry was read from PostgreSQL. A revocation commits in PostgreSQL
 * and then deletes the token: from then on no entry of any process matches. Without Redis nothing matches either, and
 * every call asks PostgreSQL.
 */
export type KeyCache = {
  get(hash: string): CachedKey | null;
  /** `token` and `readAtMs` (of `performance.now()`) must have been taken before the caller was read. */
  set(hash: string, entry: CachedKey): void;
  delete(hash: string): void;
};

type CachedKey = { readonly caller: KeyCaller; readonly token: string | null; readonly readAtMs: number };

/** The longest that an entry is used, whatever Redis says: limits the harm of a Redis that lost a deletion. */
const maxAgeMs = 5000;

export function createKeyCache(maxKeys: number): KeyCache {
  const entries = new LRUCache<string, CachedKey>({ max: maxKeys });
  return {
    get(hash) {
      const entry = entries.get(hash);
      if (!entry) return null;
      // One that is too old still says whose calls to count, but not that the key is valid.
      return performance.now() - entry.readAtMs < maxAgeMs ? entry : { ...entry, token: null };
    },
    set: (hash, entry) => void entries.set(hash, entry),
    delete: hash => void entries.delete(hash),
  };
}

/**
 * Ends the account's token. If Redis cannot be reached from here, another process may still reach it and trust its
 * cache, so this waits until every entry that was read before is too old.
 */
export function createKeyInvalidator(
  endToken: (accountId: Uuid) => Promise<unknown>,
  wait: (ms: number) => Promise<unknown> = sleep,
): KeyInvalidator {
  return {
    async invalidate(accountId) {
      try {
        await endToken(accountId);
      } catch {
        // Whatever the failure, waiting is as good as the deletion.
        await wait(maxAgeMs);
      }
    },
  };
}
