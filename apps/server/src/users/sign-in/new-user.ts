import { AppError } from '../../kernel/errors.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';

export type NewUser = {
  readonly id: Uuid;
  readonly name: string;
  /** In lower case. */
  readonly email: string;
  readonly at: Date;
};

/**
 * Inserts a user whom the operator vouches for, by a command on the server or by its token. The e-mail address counts as
 * verified. A user without a password sets one through a link.
 */
export async function insertUser(
  tx: Database,
  user: NewUser,
  credential?: Pick<Credential, 'id' | 'hash'>,
): Promise<void> {
  if (await addUser(tx, { ...user, emailVerified: true }, credential)) return;
  throw new AppError(
    'invalid_request',
    `A user with this e-mail address already exists. To make them an operator: signpost admin set-operator ${user.email} on`,
    { param: 'email' },
  );
}

/** Returns false if there is a user with this e-mail address. */
export async function addUser(
  tx: Database,
  { id, name, email, emailVerified, at }: NewUser & { readonly emailVerified: boolean },
  credential?: Pick<Credential, 'id' | 'hash'>,
): Promise<boolean> {
  const verifiedAt = emailVerified ? at : null;
  if ((await tx.query(insert, [id, name, email, at, emailVerified, verifiedAt])).length === 0) return false;
  if (credential) await insertCredential(tx, { ...credential, userId: id, at });
  return true;
}

/** A stored password. */
export type Credential = {
  readonly id: Uuid;
  readonly userId: Uuid;
  readonly hash: string;
  readonly at: Date;
};

export async function insertCredential(tx: Database, { id, userId, hash, at }: Credential): Promise<void> {
  await tx.query(insertPassword, [id, userId, hash, at]);
}

const insert = sql(
  'insert-user',
  `insert into auth_users (id, name, email, email_verified, verified_at, created_at, updated_at)
   values ($1, $2, $3, $5, $6, $4, $4) on conflict (email) do nothing returning id`,
);
const insertPassword = sql(
  'insert-credential',
  `insert into auth_credentials (id, user_id, account_id, provider_id, password, created_at, updated_at)
   values ($1, $2, $2::uuid::text, 'credential', $3, $4, $4)`,
);
