import { AppError } from '../../kernel/errors.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql, violatedUniqueIndex } from '../../platform/postgres/postgres.ts';
import { hashToken } from './email-tokens.ts';

/** A new address that waits to be confirmed. */
export type PendingEmail = { readonly userId: Uuid; readonly email: string; readonly expiresAt: Date };

const lifetimeMs = 24 * 60 * 60_000;

/** Under the user's lock. A later change replaces an earlier one, whose link then does nothing. */
export async function replaceEmailChange(
  tx: Database,
  change: { readonly token: string; readonly userId: Uuid; readonly email: string; readonly at: Date },
): Promise<PendingEmail> {
  const { token, userId, email, at } = change;
  const expiresAt = new Date(at.getTime() + lifetimeMs);
  await tx.query(deleteChanges, [userId]);
  await tx.query(insertChange, [hashToken(token), userId, email, at, expiresAt]);
  return { userId, email, expiresAt };
}

export async function findPendingEmail(db: Database, userId: Uuid): Promise<PendingEmail | null> {
  const [row] = await db.query<ChangeRow>(changeOfUser, [userId]);
  return row ? toPending(row) : null;
}

export async function findEmailChange(db: Database, token: string): Promise<PendingEmail | null> {
  const [row] = await db.query<ChangeRow>(changeByToken, [hashToken(token)]);
  return row ? toPending(row) : null;
}

export async function deleteEmailChanges(db: Database, userId: Uuid): Promise<void> {
  await db.query(deleteChanges, [userId]);
}

/** Under the user's lock. The address counts as confirmed: the link was mailed there. Refuses one that another person has. */
export async function setEmail(tx: Database, userId: Uuid, email: string, at: Date): Promise<void> {
  try {
    await tx.attempt(updateEmail, [userId, email, at]);
  } catch (error) {
    if (violatedUniqueIndex(error) !== 'auth_users_email_key') throw error;
    throw new AppError(
      'invalid_request',
      'Another account on this server already uses this e-mail address. Your address was not changed.',
      { param: 'token', cause: error },
    );
  }
}

type ChangeRow = { user_id: Uuid; new_email: string; expires_at: Date };

const toPending = (row: ChangeRow): PendingEmail => ({
  userId: row.user_id,
  email: row.new_email,
  expiresAt: row.expires_at,
});

const insertChange = sql(
  'insert-email-change',
  `insert into email_tokens (hash, user_id, purpose, mailed, new_email, created_at, expires_at)
   values ($1, $2, 'change', true, $3, $4, $5)`,
);
const deleteChanges = sql(
  'delete-email-changes',
  `delete from email_tokens where user_id = $1 and purpose = 'change'`,
);
const changeOfUser = sql(
  'email-change-of-user',
  `select user_id, new_email, expires_at from email_tokens
    where user_id = $1 and purpose = 'change' and expires_at > now() order by created_at desc limit 1`,
);
const changeByToken = sql(
  'find-email-change',
  `select user_id, new_email, expires_at from email_tokens
    where hash = $1 and purpose = 'change' and expires_at > now()`,
);
const updateEmail = sql(
  'change-email',
  `update auth_users set email = $2, email_verified = true, verified_at = coalesce(verified_at, $3), updated_at = $3
    where id = $1`,
);
