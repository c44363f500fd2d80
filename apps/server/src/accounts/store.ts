import type { KeyScope } from '@signpost/contract';
import { addressRanges } from '../kernel/addresses/client-address.ts';
import type { Mode } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';
import { keepAccountEvidence } from '../moderation/evidence.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';
import {
  type Account,
  accountPlanColumns,
  addAccount,
  type KeysToRevoke,
  type ListedKey,
  type OwnLimits,
  type PlanRow,
  type StandingRow,
  type StoredKey,
  standingColumns,
  standingJoin,
  toPlan,
  toStanding,
} from './account.ts';
import { recordClosure } from './closures.ts';
import type { KeyCaller } from './key-caller.ts';
import { isOperatorKey, type KeyTerms, toKeyPermissions } from './key-terms.ts';

export type AccountStore = ReturnType<typeof createAccountStore>;

export function createAccountStore(db: Database) {
  return {
    /** The caller behind a key, with the plan; null for a key that is unknown, revoked or expired. */
    async findCaller(hash: string): Promise<KeyCaller | null> {
      const [row] = await db.query<CallerRow>(findCaller, [hash]);
      return row ? toCaller(row) : null;
    },

    async insertAccount(account: Account): Promise<void> {
      await db.transaction(tx => addAccount(tx, account));
    },

    /**
     * One at a time for each account, so that its limit holds, and so that a revocation of all keys either sees this one
     * or is seen by `isStillAllowed`, which is called under the same lock.
     */
    async insertKey(
      key: StoredKey,
      hash: string,
      maxKeys: number,
      isStillAllowed: (tx: Database) => Promise<boolean>,
      /** Runs last. */
      finish: (tx: Database) => Promise<void>,
      /** Also a live key of an account whose address is not confirmed. */
      evenIfHeld = false,
    ): Promise<'created' | 'too many' | 'closed' | 'held' | 'not allowed'> {
      const { id, accountId, mode, hint, name, createdAt, createdBy, scopes, expiresAt, allowedCidrs } = key;
      return await db.transaction(async tx => {
        const [account] = await tx.query<{ held: boolean }>(lockAccount, [accountId]);
        if (!account) return 'closed';
        if (account.held && mode === 'live' && !evenIfHeld) return 'held';
        if (!(await isStillAllowed(tx))) return 'not allowed';
        const rows = await tx.query(insertKey, [
          ...[id, accountId, mode, hash, hint, createdAt, name, maxKeys],
          ...[createdBy, scopes, expiresAt, allowedCidrs],
        ]);
        if (rows.length === 0) return 'too many';
        await finish(tx);
        return 'created';
      });
    },

    /**
     * Changes a key of the account that is not revoked, under the same lock. `change` sees the key as it is, and returns how it
     * shall be, or null for no change. `finish` runs last, after a change. Returns the key as it is afterwards; null if there is none.
     */
    async changeKey(
      accountId: Uuid,
      keyId: Uuid,
      change: (tx: Database, key: StoredKey) => Promise<KeyChange | null>,
      finish: (tx: Database) => Promise<void>,
    ): Promise<{ key: ListedKey; changed: boolean } | null> {
      return await db.transaction(async tx => {
        await tx.query(lockAccount, [accountId]);
        const find = async () => (await tx.query<KeyRow>(findKey, [accountId, keyId])).map(toKey)[0];
        const key = await find();
        if (!key) return null;
        const wanted = await change(tx, key);
        if (!wanted) return { key, changed: false };
        const { name, scopes, expiresAt, allowedCidrs } = wanted;
        await tx.query(updateKey, [keyId, name, scopes, expiresAt, allowedCidrs]);
        const changed = { key: (await find())!, changed: true };
        await finish(tx);
        return changed;
      });
    },

    /** Returns how many keys were revoked. */
    async revokeAllKeys(
      tx: Database,
      accountId: Uuid,
      at: Date,
      { createdBefore = null, createdBy = null }: KeysToRevoke,
    ): Promise<number> {
      await tx.query(lockAccount, [accountId]);
      return (await tx.query(revokeValidKeys, [accountId, at, createdBefore, createdBy])).length;
    },

    /** The account whose key was revoked, or null if there is no such key. Revoking twice changes nothing. */
    async revokeKey(keyId: Uuid, at: Date): Promise<Uuid | null> {
      const [row] = await db.query<{ account_id: Uuid }>(revokeKey, [keyId, at]);
      return row?.account_id ?? null;
    },

    /** `finish` runs in the same transaction. */
    revokeOwnKey: (
      accountId: Uuid,
      keyId: Uuid,
      at: Date,
      finish: (tx: Database) => Promise<void>,
    ): Promise<boolean> =>
      db.transaction(async tx => {
        if ((await tx.query(revokeOwnKey, [accountId, keyId, at])).length === 0) return false;
        await finish(tx);
        return true;
      }),

    /** Writes when each of these keys was last used; never moves it to an earlier time. */
    async noteUses(uses: ReadonlyMap<Uuid, Date>): Promise<void> {
      await db.query(noteUses, [[...uses.keys()], [...uses.values()]]);
    },

    /** `finish` runs in the same transaction. */
    setPlan: (accountId: Uuid, plan: string, finish: (tx: Database) => Promise<void>): Promise<boolean> =>
      db.transaction(async tx => {
        if ((await tx.query(setPlan, [accountId, plan])).length === 0) return false;
        await finish(tx);
        return true;
      }),

    /** What is left out stays as it is. */
    async setLimits(
      accountId: Uuid,
      { requestsPerMinute, codes, creationsPerMinute }: OwnLimits,
    ): Promise<boolean> {
      const values = [requestsPerMinute, codes, creationsPerMinute].flatMap(limit => [
        limit !== undefined,
        limit ?? null,
      ]);
      return (await db.query(setLimits, [accountId, ...values])).length > 0;
    },

    async planNames(): Promise<string[]> {
      return (await db.query<{ name: string }>(planNames)).map(row => row.name);
    },

    async findAccount(accountId: Uuid): Promise<Account | null> {
      const [row] = await db.query<AccountRow>(findAccount, [accountId]);
      return row ? toAccount(row) : null;
    },

    /** Removes its name and revokes its keys; a suspension keeps the evidence. Closing twice changes nothing. */
    async closeAccount(
      accountId: Uuid,
      at: Date,
      cleanUp: (tx: Database) => Promise<void>,
    ): Promise<boolean> {
      return db.transaction(async tx => {
        // Locked first, as a suspension does: each then sees what the other has done.
        await tx.query(lockAccount, [accountId]);
        await keepAccountEvidence(tx, accountId, at);
        if ((await tx.query(closeAccount, [accountId, at])).length === 0) return false;
        // A separate statement: it also sees keys that were being created when the account was closed.
        await tx.query(revokeKeys, [accountId, at]);
        await recordClosure(tx, accountId);
        await cleanUp(tx);
        return true;
      });
    },

    /** Accounts in order of creation, after the given one. */
    async listAccounts(after: Uuid | null, limit: number): Promise<Account[]> {
      return (await db.query<AccountRow>(listAccounts, [after, limit])).map(toAccount);
    },

    async listKeys(accountId: Uuid): Promise<ListedKey[]> {
      return (await db.query<KeyRow>(listKeys, [accountId])).map(toKey);
    },
  };
}

const findCaller = sql(
  'find-caller',
  `select k.id, k.account_id, k.mode, k.scopes, k.expires_at, k.allowed_cidrs, a.test_tag, ${accountPlanColumns}, ${standingColumns}
     from api_keys k
     join accounts a on a.id = k.account_id
     join plans p on p.name = a.plan ${standingJoin}
    where k.hash = decode($1, 'hex') and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
);

const lockAccount = sql(
  'lock-account-for-keys',
  `select held_at is not null as held from accounts where id = $1 and closed_at is null for no key update`,
);

const insertKey = sql(
  'insert-key',
  `insert into api_keys (id, account_id, mode, hash, hint, created_at, name, created_by, scopes, expires_at, allowed_cidrs)
   select $1, $2, $3, decode($4, 'hex'), $5, $6, $7, $9, $10, $11, $12
    where (select count(*) from api_keys where account_id = $2 and revoked_at is null) < $8
   returning id`,
);

const revokeValidKeys = sql(
  'revoke-valid-keys',
  `update api_keys set revoked_at = $2
    where account_id = $1 and revoked_at is null and ($3::timestamptz is null or created_at < $3)
      and ($4::uuid is null or created_by = $4) returning id`,
);

const revokeKey = sql(
  'revoke-key',
  'update api_keys set revoked_at = coalesce(revoked_at, $2) where id = $1 returning account_id',
);

const revokeOwnKey = sql(
  'revoke-own-key',
  'update api_keys set revoked_at = $3 where account_id = $1 and id = $2 and revoked_at is null returning id',
);

const noteUses = sql(
  'note-key-uses',
  `update api_keys k set last_used_at = greatest(k.last_used_at, used.at)
     from unnest($1::uuid[], $2::timestamptz[]) as used (id, at) where k.id = used.id`,
);

const setPlan = sql(
  'set-plan',
  'update accounts set plan = $2 where id = $1 and closed_at is null returning id',
);
const setLimits = sql(
  'set-limits',
  `update accounts
      set requests_per_minute = case when $2 then $3::integer else requests_per_minute end,
          code_quota = case when $4 then $5::integer else code_quota end,
          creations_per_minute = case when $6 then $7::integer else creations_per_minute end
    where id = $1 and closed_at is null returning id`,
);
const planNames = sql('plan-names', 'select name from plans order by requests_per_minute');
const findAccount = sql(
  'find-account',
  'select id, name, plan, created_at, closed_at from accounts where id = $1',
);

const closeAccount = sql(
  'close-account',
  `update accounts set name = '', closed_at = coalesce(closed_at, $2) where id = $1 returning id`,
);
const revokeKeys = sql(
  'revoke-keys',
  `update api_keys set revoked_at = coalesce(revoked_at, $2), name = '' where account_id = $1`,
);

const listAccounts = sql(
  'list-accounts',
  `select id, name, plan, created_at, closed_at from accounts
    where $1::uuid is null or id > $1 order by id limit $2`,
);

const selectKeys = `select k.id, k.account_id, k.mode, k.name, k.hint, k.scopes, k.expires_at, k.allowed_cidrs, k.created_by,
          k.created_at, k.last_used_at, k.revoked_at, u.id is not null and m.user_id is null as creator_left,
          case when m.user_id is not null then u.name end as creator_name
     from api_keys k
     left join auth_users u on u.id = k.created_by
     left join members m on m.user_id = k.created_by and m.account_id = k.account_id`;

const listKeys = sql('list-keys', `${selectKeys} where k.account_id = $1 order by k.created_at, k.id`);
const findKey = sql(
  'find-key',
  `${selectKeys} where k.account_id = $1 and k.id = $2 and k.revoked_at is null`,
);
const updateKey = sql(
  'update-key',
  'update api_keys set name = $2, scopes = $3, expires_at = $4, allowed_cidrs = $5 where id = $1',
);

/** What can be changed of a key. */
export type KeyChange = KeyTerms & Pick<StoredKey, 'name'>;

type TermsRow = {
  scopes: KeyScope[] | null;
  expires_at: Date | null;
  allowed_cidrs: string[] | null;
};

type CallerRow = {
  id: Uuid;
  account_id: Uuid;
  mode: Mode;
  test_tag: string;
} & TermsRow &
  PlanRow &
  StandingRow;

/** Calls by operator keys of an account, whatever its plan: a platform may create accounts in a burst. */
const operatorRequestsPerMinute = 600;

const toCaller = (row: CallerRow): KeyCaller => ({
  accountId: row.account_id,
  mode: row.mode,
  testTag: row.test_tag,
  via: { kind: 'key', id: row.id },
  role: null,
  permissions: toKeyPermissions(row.scopes),
  expiresAt: row.expires_at,
  networks: row.allowed_cidrs && addressRanges(row.allowed_cidrs),
  ...(isOperatorKey(row)
    ? { plan: { ...toPlan(row), requestsPerMinute: operatorRequestsPerMinute }, countedApart: true }
    : { plan: toPlan(row) }),
  ...toStanding(row),
});

type AccountRow = { id: Uuid; name: string; plan: string; created_at: Date; closed_at: Date | null };

const toAccount = (row: AccountRow): Account => ({
  id: row.id,
  name: row.name,
  plan: row.plan,
  createdAt: row.created_at,
  closedAt: row.closed_at,
});

type KeyRow = TermsRow & {
  id: Uuid;
  account_id: Uuid;
  mode: Mode;
  name: string;
  hint: string;
  created_by: Uuid | null;
  created_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
  creator_left: boolean;
  creator_name: string | null;
};

const toKey = (row: KeyRow): ListedKey => ({
  id: row.id,
  accountId: row.account_id,
  mode: row.mode,
  name: row.name,
  hint: row.hint,
  createdBy: row.created_by,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  revokedAt: row.revoked_at,
  scopes: row.scopes,
  expiresAt: row.expires_at,
  allowedCidrs: row.allowed_cidrs,
  creatorName: row.creator_left ? 'A person who left' : row.creator_name,
});
