import type { Mode } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres.ts';
import type { Account, StoredKey } from './account.ts';
import { type ApiKey, createApiKey, hashApiKey, hintOf } from './api-key.ts';
import type { AccountStore } from './store.ts';

/** Makes processes forget what they remember of an account's keys and plan; resolves when they have. */
export type KeyForgetter = { forget(accountId: Uuid): Promise<void> };

type Parts = {
  readonly store: AccountStore;
  readonly forgetter: KeyForgetter;
  readonly ids: Ids;
  readonly clock: Clock;
};

export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts({ store, forgetter, ids, clock }: Parts) {
  async function requirePlan(plan: string): Promise<void> {
    const names = await store.planNames();
    if (!names.includes(plan)) {
      throw new AppError('invalid_request', `There is no plan ${plan}. Plans: ${names.join(', ')}.`, {
        param: 'plan',
      });
    }
  }

  return {
    requirePlan,

    async create(name: string, plan: string): Promise<Account> {
      await requirePlan(plan);
      const account = { id: ids.next(), name, plan, createdAt: clock.now(), closedAt: null };
      await store.insertAccount(account);
      return account;
    },

    /** A new key. Its text is returned here and can never be read again. */
    async createKey(
      accountId: Uuid,
      mode: Mode,
      name = `${mode} key`,
      /** Whether who asked may still make one; asked at the last moment, under the account's lock. */
      mayStill: (tx: Database) => Promise<boolean> = async () => true,
      /** How a live key of an account that waits for a confirmed address is refused; null: it is made. */
      refuseHeld: (() => AppError) | null = notConfirmed,
    ): Promise<{ stored: StoredKey; key: ApiKey }> {
      const account = await store.findAccount(accountId);
      if (!account || account.closedAt) throw noAccount();
      const key = createApiKey(mode);
      const stored = {
        id: ids.next(),
        accountId,
        mode,
        name,
        hint: hintOf(key),
        createdAt: clock.now(),
        lastUsedAt: null,
        revokedAt: null,
      };
      const outcome = await store.insertKey(stored, hashApiKey(key), maxKeys, mayStill, refuseHeld === null);
      if (outcome === 'closed') throw noAccount();
      if (outcome === 'held') throw refuseHeld!();
      if (outcome === 'not any more') throw sessionEnded();
      if (outcome === 'too many') {
        throw new AppError(
          'forbidden',
          `An account has at most ${maxKeys} keys at a time. Revoke one that is not used.`,
        );
      }
      return { stored, key };
    },

    /**
     * Revokes every key of an account, or every one made before a time, as part of a transaction. When that has resolved,
     * no process lets any of them through any more.
     */
    async revokeAll(tx: Database, accountId: Uuid, madeBefore: Date | null = null): Promise<number> {
      const revoked = await store.revokeAllKeys(tx, accountId, clock.now(), madeBefore);
      if (revoked > 0) await tx.afterCommit(() => forgetter.forget(accountId));
      return revoked;
    },

    /** When this resolves, no process lets the key through any more. */
    async revokeKey(keyId: Uuid): Promise<void> {
      const accountId = await store.revokeKey(keyId, clock.now());
      if (!accountId) throw new AppError('not_found', 'No API key has this id.');
      await forgetter.forget(accountId);
    },

    /** The same for one key of this account; another account's is unknown here. */
    async revokeOwnKey(accountId: Uuid, keyId: Uuid | null): Promise<void> {
      if (!keyId || !(await store.revokeOwnKey(accountId, keyId, clock.now())))
        throw new AppError('not_found', 'No API key has this id.');
      await forgetter.forget(accountId);
    },

    async setPlan(accountId: Uuid, plan: string): Promise<void> {
      await requirePlan(plan);
      if (!(await store.setPlan(accountId, plan))) throw noAccount();
      await forgetter.forget(accountId);
    },

    async get(accountId: Uuid): Promise<Account> {
      const account = await store.findAccount(accountId);
      if (!account) throw noAccount();
      return account;
    },

    /**
     * When this resolves, no process lets a key of the account through any more, and no new one can be made. `alsoDo` is
     * part of the transaction.
     */
    async close(accountId: Uuid, alsoDo: (tx: Database) => Promise<void> = async () => {}): Promise<void> {
      if (!(await store.closeAccount(accountId, clock.now(), alsoDo))) throw noAccount();
      await forgetter.forget(accountId);
    },

    list: (after: Uuid | null, limit: number): Promise<Account[]> => store.listAccounts(after, limit),
    keys: (accountId: Uuid): Promise<StoredKey[]> => store.listKeys(accountId),
  };
}

/** Good keys that an account may have at a time. */
const maxKeys = 100;

const sessionEnded = () =>
  new AppError('unauthorized', 'Your session has ended. Sign in again.', { challenge: false });

/** What is held can be tried out, and reaches nobody. */
export const notConfirmed = () =>
  new AppError(
    'forbidden',
    'Confirm your e-mail address first: open the link in the mail that you got when you signed up, or ask for another in your account settings. Until then you can create test keys.',
  );

const noAccount = () => new AppError('not_found', 'No account has this id.');
