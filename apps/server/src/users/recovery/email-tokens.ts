import { hash, randomBytes } from 'node:crypto';
import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';

/** What a link in a mail is for. */
export type Purpose = 'reset' | 'verify';

export type EmailToken = { readonly userId: Uuid; readonly mailed: boolean };

type NewToken = EmailToken & { readonly purpose: Purpose; readonly at: Date };

const hourMs = 60 * 60_000;
/** Of one person and purpose: mailed within an hour, and neither used nor deleted. */
export const maxUnusedLinks = 5;
const lifetimeMs: Readonly<Record<Purpose, number>> = { reset: hourMs, verify: 24 * hourMs };

/** Creates a token. Its text is returned only here: the table has its hash. */
export async function createEmailToken(db: Database, token: NewToken): Promise<string> {
  const text = randomBytes(20).toString('base64url');
  const { userId, purpose, mailed, at } = token;
  const expiresAt = new Date(at.getTime() + lifetimeMs[purpose]);
  await db.query(insertToken, [hashToken(text), userId, purpose, mailed, at, expiresAt]);
  return text;
}

/**
 * The same for a mail; null where too many unused links of this purpose exist. Deleted links do not count, so that an attacker
 * who invalidates them cannot keep the owner from getting another.
 */
export async function createMailedToken(
  db: Database,
  token: Omit<NewToken, 'mailed'>,
): Promise<string | null> {
  return await db.transaction(async tx => {
    await tx.query(lockUser, [token.userId]);
    const [row] = await tx.query<{ count: number }>(countUnused, [token.userId, token.purpose]);
    if (row!.count >= maxUnusedLinks) return null;
    return await createEmailToken(tx, { ...token, mailed: true });
  });
}

/** For a link that could not be sent. */
export async function deleteEmailToken(db: Database, text: string): Promise<void> {
  await db.query(deleteToken, [hashToken(text)]);
}

/** Whose token it is; null if it does not exist, was used, or has expired. */
export async function findEmailToken(
  db: Database,
  text: string,
  purpose: Purpose,
): Promise<EmailToken | null> {
  const [row] = await db.query<{ user_id: Uuid; mailed: boolean }>(findToken, [hashToken(text), purpose]);
  return row ? { userId: row.user_id, mailed: row.mailed } : null;
}

/** Deletes every link of a person. A new password does the same by a trigger on auth_credentials. */
export async function deleteEmailTokens(db: Database, userId: Uuid): Promise<void> {
  await db.query(deleteTokens, [userId]);
}

/** A fast hash is enough: a token has 160 random bits. */
export const hashToken = (text: string) => Buffer.from(hash('sha256', text, 'hex'), 'hex');

const insertToken = sql(
  'insert-email-token',
  `insert into email_tokens (hash, user_id, purpose, mailed, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)`,
);
const lockUser = sql('lock-email-token-user', 'select id from auth_users where id = $1 for no key update');
const countUnused = sql(
  'count-unused-email-tokens',
  `select count(*) from email_tokens
    where user_id = $1 and purpose = $2 and mailed and expires_at > now() and created_at > now() - interval '1 hour'`,
);
const deleteToken = sql('delete-email-token', 'delete from email_tokens where hash = $1');
const findToken = sql(
  'find-email-token',
  'select user_id, mailed from email_tokens where hash = $1 and purpose = $2 and expires_at > now()',
);
const deleteTokens = sql('delete-email-tokens', 'delete from email_tokens where user_id = $1');
