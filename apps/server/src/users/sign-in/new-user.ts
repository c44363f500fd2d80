import { AppError } from '../../kernel/errors.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql, violatedUniqueIndex } from '../../platform/postgres/postgres.ts';

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
  { id, name, email, at }: NewUser,
  credential?: Pick<Credential, 'id' | 'hash'>,
): Promise<void> {
  try {
    await tx.attempt(insert, [id, name, email, at]);
  } catch (error) {
    if (violatedUniqueIndex(error) !== 'auth_users_email_key') throw error;
    throw new AppError(
      'invalid_request',
      `A user with this e-mail address already exists. To make them an operator: signpost admin set-operator ${email} on`,
      { param: 'email', cause: error },
    );
  }
  if (credential) await insertCredential(tx, { ...credential, userId: id, at });
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
   values ($1, $2, $3, true, $4, $4, $4)`,
);
const insertPassword = sql(
  'insert-credential',
  `insert into auth_credentials (id, user_id, account_id, provider_id, password, created_at, updated_at)
   values ($1, $2, $2::uuid::text, 'credential', $3, $4, $4)`,
);
