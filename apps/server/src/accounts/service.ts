import type { WriteEvent } from '../http/audited.ts';
import type { Mode } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { formatId, type Ids, type Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { Account, KeysToRevoke, ListedKey, OwnLimits, StoredKey } from './account.ts';
import { type ApiKey, createApiKey, hashApiKey, toHint } from './api-key.ts';
import { isOperatorKey, isWider, type KeyTerms, openTerms, requireTerms } from './key-terms.ts';
import { type AccountStore, createAccountStore } from './store.ts';

/** Drops what processes have cached about an account's keys and plan; resolves when no process uses it any more. */
export type KeyInvalidator = { invalidate(accountId: Uuid): Promise<void> };

type Parts = {
  readonly store: AccountStore;
  readonly keyInvalidator: KeyInvalidator;
  readonly ids: Ids;
  readonly clock: Clock;
};

type NewKeyOptions = {
  readonly name?: string;
  /** The person who creates it; null: the operator. */
  readonly createdBy?: Uuid | null;
  readonly terms?: KeyTerms;
  /** Whether the caller may still create one; checked at the last moment, under the account's lock. */
  readonly isStillAllowed?: (tx: Database) => Promise<boolean>;
  /** Writes the event of a key that a person creates. */
  readonly writeEvent?: WriteEvent;
  /** How a live key is refused to an account whose address is not confirmed; null: it is created. */
  readonly refuseHeld?: (() => AppError) | null;
};

/** What is left out of a key stays as it is. */
type KeyUpdate = {
  readonly name?: string | undefined;
  readonly terms: Partial<KeyTerms>;
  /** Refuses a person who has not proved who it is, where the key may do more than before. */
  readonly confirm: () => Promise<void>;
  readonly isStillAllowed: (tx: Database) => Promise<boolean>;
  readonly writeEvent: WriteEvent;
};

export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts({ store, keyInvalidator, ids, clock }: Parts) {
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

    /** A new key. Its text is returned here and cannot be read later. */
    async createKey(
      accountId: Uuid,
      mode: Mode,
      {
        name = `${mode} key`,
        createdBy = null,
        terms = openTerms,
        isStillAllowed = async () => true,
        writeEvent = noEvent,
        refuseHeld = notConfirmed,
      }: NewKeyOptions = {},
    ): Promise<{ stored: StoredKey; key: ApiKey }> {
      const account = await store.findAccount(accountId);
      if (!account || account.closedAt) throw noAccount();
      requireTerms(terms, clock.now());
      const key = createApiKey(mode);
      const stored = {
        id: ids.next(),
        accountId,
        mode,
        name,
        hint: toHint(key),
        createdBy,
        createdAt: clock.now(),
        lastUsedAt: null,
        revokedAt: null,
        ...terms,
      };
      const outcome = await store.insertKey(
        stored,
        hashApiKey(key),
        maxKeys,
        isStillAllowed,
        tx => writeEvent(tx, { subjects: [formatId('key', stored.id)] }),
        refuseHeld === null,
      );
      if (outcome === 'closed') throw noAccount();
      if (outcome === 'held') throw refuseHeld!();
      if (outcome === 'not allowed') throw sessionEnded();
      if (outcome === 'too many') {
        throw new AppError(
          'forbidden',
          `An account has at most ${maxKeys} keys at a time. Revoke one that is not used.`,
        );
      }
      return { stored, key };
    },

    /** When this resolves, every process applies the change. */
    async updateKey(accountId: Uuid, keyId: Uuid | null, update: KeyUpdate): Promise<ListedKey> {
      const { terms, confirm, isStillAllowed, writeEvent } = update;
      requireTerms(terms, clock.now());
      const toWanted = ({ name, scopes, expiresAt, allowedCidrs }: StoredKey) => ({
        name: update.name ?? name,
        scopes,
        expiresAt,
        allowedCidrs,
        ...terms,
      });
      // Hashing a password takes long, so it is done before the lock. What another change has widened since is not confirmed.
      const before = keyId && (await store.listKeys(accountId)).find(({ id }) => id === keyId);
      const isConfirmed = before ? isWider(before, toWanted(before)) : false;
      if (isConfirmed) await confirm();
      const found =
        keyId &&
        (await store.changeKey(
          accountId,
          keyId,
          async (tx, key) => {
            if (!(await isStillAllowed(tx))) throw sessionEnded();
            if (isOperatorKey(key)) throw operatorsOnly();
            const wanted = toWanted(key);
            if (!isConfirmed && isWider(key, wanted)) throw changedMeanwhile();
            return isSame(key, wanted) ? null : wanted;
          },
          tx => writeEvent(tx),
        ));
      if (!found) throw new AppError('not_found', 'No API key has this id.');
      if (found.changed) await keyInvalidator.invalidate(accountId);
      return found.key;
    },

    /**
     * Revokes every key of an account, or those of a person or created before a time, as part of a transaction. Once that has
     * committed and resolved, no process accepts any of them.
     */
    async revokeAll(tx: Database, accountId: Uuid, which: KeysToRevoke = {}): Promise<number> {
      const revoked = await store.revokeAllKeys(tx, accountId, clock.now(), which);
      if (revoked > 0) await tx.afterCommit(() => keyInvalidator.invalidate(accountId));
      return revoked;
    },

    /** When this resolves, no process accepts the key any more. */
    async revokeKey(keyId: Uuid): Promise<void> {
      const accountId = await store.revokeKey(keyId, clock.now());
      if (!accountId) throw new AppError('not_found', 'No API key has this id.');
      await keyInvalidator.invalidate(accountId);
    },

    /** The same for a key of this account; one of another account is not found. */
    async revokeOwnKey(accountId: Uuid, keyId: Uuid | null, writeEvent: WriteEvent): Promise<void> {
      const revoke = (id: Uuid) => store.revokeOwnKey(accountId, id, clock.now(), tx => writeEvent(tx));
      if (!keyId || !(await revoke(keyId))) throw new AppError('not_found', 'No API key has this id.');
      await keyInvalidator.invalidate(accountId);
    },

    async setPlan(accountId: Uuid, plan: string, writeEvent: WriteEvent = noEvent): Promise<void> {
      await requirePlan(plan);
      if (!(await store.setPlan(accountId, plan, tx => writeEvent(tx, { accountId })))) throw noAccount();
      await keyInvalidator.invalidate(accountId);
    },

    /** In place of those of the plan. When this resolves, every process applies them. */
    async setLimits(accountId: Uuid, limits: OwnLimits): Promise<void> {
      if (!(await store.setLimits(accountId, limits))) throw noAccount();
      await keyInvalidator.invalidate(accountId);
    },

    async get(accountId: Uuid): Promise<Account> {
      const account = await store.findAccount(accountId);
      if (!account) throw noAccount();
      return account;
    },

    /**
     * When this resolves, no process accepts a key of the account any more, and no new one can be created. `cleanUp` is
     * part of the transaction.
     */
    async close(accountId: Uuid, cleanUp: (tx: Database) => Promise<void> = async () => {}): Promise<void> {
      if (!(await store.closeAccount(accountId, clock.now(), cleanUp))) throw noAccount();
      await keyInvalidator.invalidate(accountId);
    },

    list: (after: Uuid | null, limit: number): Promise<Account[]> => store.listAccounts(after, limit),
    keys: (accountId: Uuid): Promise<ListedKey[]> => store.listKeys(accountId),
  };
}

/** Commands write none, and a call by key writes its event after its work. */
const noEvent: WriteEvent = async () => {};

export type AccountsWithin = (tx: Database) => Accounts;

/** The same as part of a transaction: what processes have cached is dropped right after its commit. */
export const createAccountsWithin =
  ({ keyInvalidator, ids, clock }: Omit<Parts, 'store'>): AccountsWithin =>
  tx =>
    createAccounts({
      store: createAccountStore(tx),
      keyInvalidator: {
        invalidate: accountId => tx.afterCommit(() => keyInvalidator.invalidate(accountId)),
      },
      ids,
      clock,
    });

/** Keys that an account may have at a time, not counting revoked ones. */
const maxKeys = 100;

const isSame = (key: StoredKey, wanted: KeyTerms & Pick<StoredKey, 'name'>) =>
  key.name === wanted.name && !isWider(key, wanted) && !isWider(wanted, key);

const operatorsOnly = () =>
  new AppError(
    'forbidden',
    'This key belongs to the operator of the service. You can revoke it; a new one is created by signpost admin create-key --operator.',
  );

const changedMeanwhile = () =>
  new AppError('unavailable', 'Somebody else changed this key a moment ago. Try again.', {
    retryAfterSeconds: 1,
  });

const sessionEnded = () =>
  new AppError('unauthorized', 'Your session has ended. Sign in again.', { challenge: false });

/** A held account may try everything in test mode, and reaches nobody. */
export const notConfirmed = () =>
  new AppError(
    'forbidden',
    'Confirm your e-mail address first: open the link in the e-mail we sent when you signed up, or get a new one in your account settings. Until then you can create test keys.',
  );

const noAccount = () => new AppError('not_found', 'No account has this id.');
