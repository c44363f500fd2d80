import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import { type Credential, insertCredential } from '../sign-in/new-user.ts';

export type StoredUser = {
  readonly id: Uuid;
  readonly email: string;
  readonly name: string;
  readonly emailVerified: boolean;
  /** When the address was confirmed: keys from before may be another person's. Null if it was never confirmed. */
  readonly verifiedAt: Date | null;
  /** Since when the person has belonged to no account, having belonged to one. */
  readonly noAccountAt: Date | null;
};

export async function findUser(db: Database, userId: Uuid): Promise<StoredUser | null> {
  const [row] = await db.query<UserRow>(userById, [userId]);
  return row ? toUser(row) : null;
}

/** Serialises changes of a user. Locks are always taken in this order: the user, the password, then links and browsers. */
export async function lockUser(tx: Database, userId: Uuid): Promise<StoredUser | null> {
  const [row] = await tx.query<UserRow>(lockUserById, [userId]);
  await tx.query(lockCredential, [userId]);
  return row ? toUser(row) : null;
}

/**
 * Under the user's lock. A trigger on auth_credentials deletes every link and known browser of the user. A user who was created
 * by a command has no password yet.
 */
export async function setPassword(tx: Database, credential: Credential): Promise<void> {
  const { userId, hash, at } = credential;
  const changed = await tx.query(updatePassword, [userId, hash, at]);
  if (changed.length === 0) await insertCredential(tx, credential);
}

export async function setVerified(tx: Database, userId: Uuid, at: Date): Promise<void> {
  await tx.query(verify, [userId, at]);
}

export async function endSessions(tx: Database, userId: Uuid): Promise<void> {
  await tx.query(deleteSessions, [userId]);
}

/** The accounts without other people: only their keys may be revoked with this user's password. */
export async function findSoleAccounts(tx: Database, userId: Uuid): Promise<readonly Uuid[]> {
  return (await tx.query<{ account_id: Uuid }>(soleAccounts, [userId])).map(row => row.account_id);
}

/** Accounts in which valid keys exist that this user created, also those that the user has left. */
export async function findAccountsByKeyCreator(tx: Database, userId: Uuid): Promise<readonly Uuid[]> {
  return (await tx.query<{ account_id: Uuid }>(accountsWithKeys, [userId])).map(row => row.account_id);
}

/** The accounts that the user has in common with others. */
export async function findSharedAccounts(tx: Database, userId: Uuid): Promise<readonly Uuid[]> {
  return (await tx.query<{ account_id: Uuid }>(sharedAccounts, [userId])).map(row => row.account_id);
}

/** The accounts without other people, locked, and whether their links wait for a confirmed address. */
export async function lockSoleAccounts(
  tx: Database,
  userId: Uuid,
): Promise<readonly { readonly id: Uuid; readonly held: boolean }[]> {
  const ids = await findSoleAccounts(tx, userId);
  return await tx.query<{ id: Uuid; held: boolean }>(lockAccounts, [ids]);
}

type UserRow = {
  id: Uuid;
  email: string;
  name: string;
  email_verified: boolean;
  verified_at: Date | null;
  no_account_at: Date | null;
};

const toUser = (row: UserRow): StoredUser => ({
  id: row.id,
  email: row.email,
  name: row.name,
  emailVerified: row.email_verified,
  verifiedAt: row.verified_at,
  noAccountAt: row.no_account_at,
});

const userById = sql(
  'user-by-id',
  'select id, email, name, email_verified, verified_at, no_account_at from auth_users where id = $1',
);
const lockUserById = sql('lock-user', `${userById.text} for no key update`);
const lockCredential = sql(
  'lock-credential',
  `select id from auth_credentials where user_id = $1 and provider_id = 'credential' for update`,
);
const updatePassword = sql(
  'set-password',
  `update auth_credentials set password = $2, updated_at = $3 where user_id = $1 and provider_id = 'credential'
   returning id`,
);
const verify = sql(
  'verify-user',
  `update auth_users set email_verified = true, verified_at = coalesce(verified_at, $2), updated_at = $2
    where id = $1 and not email_verified`,
);
const deleteSessions = sql('end-sessions', 'delete from auth_sessions where user_id = $1');
const soleAccounts = sql(
  'accounts-of-one-user',
  `select m.account_id from members m
    where m.user_id = $1
      and not exists (select from members o where o.account_id = m.account_id and o.user_id <> m.user_id)
    order by m.account_id`,
);
const accountsWithKeys = sql(
  'accounts-with-keys-of-user',
  `select distinct account_id from api_keys where created_by = $1 and revoked_at is null order by account_id`,
);
const sharedAccounts = sql(
  'accounts-of-several-users',
  `select m.account_id from members m
    where m.user_id = $1
      and exists (select from members o where o.account_id = m.account_id and o.user_id <> m.user_id)
    order by m.account_id`,
);
const lockAccounts = sql(
  'lock-sole-accounts',
  `select id, held_at is not null as held from accounts where id = any($1::uuid[]) and closed_at is null
    order by id for no key update`,
);
