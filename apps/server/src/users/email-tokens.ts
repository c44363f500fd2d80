import { hash, randomBytes } from 'node:crypto';
import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres.ts';

/** What a link in a mail is for. */
export type Purpose = 'reset' | 'verify';

export type EmailToken = { readonly userId: Uuid; readonly mailed: boolean };

type NewToken = EmailToken & { readonly purpose: Purpose; readonly at: Date };

const hourMs = 60 * 60_000;
/** Of one person and purpose, mailed within an hour and not used or ended. */
export const maxLiveLinks = 5;
export const lifeMs: Readonly<Record<Purpose, number>> = { reset: hourMs, verify: 24 * hourMs };

/** A new token. Its text is returned here and can never be read again: only its hash is kept. */
export async function createEmailToken(db: Database, token: NewToken): Promise<string> {
  const text = randomBytes(20).toString('base64url');
  const { userId, purpose, mailed, at } = token;
  const expiresAt = new Date(at.getTime() + lifeMs[purpose]);
  await db.query(insertToken, [hashOf(text), userId, purpose, mailed, at, expiresAt]);
  return text;
}

/**
 * The same for a mail, while few of its kind are waiting to be used; null past that. Links that have ended give their places back,
 * so that nobody who ends them keeps the owner from getting another.
 */
export async function createMailedToken(
  db: Database,
  token: Omit<NewToken, 'mailed'>,
): Promise<string | null> {
  return await db.transaction(async tx => {
    await tx.query(lockOwner, [token.userId]);
    const [row] = await tx.query<{ count: number }>(countLive, [token.userId, token.purpose]);
    if (row!.count >= maxLiveLinks) return null;
    return await createEmailToken(tx, { ...token, mailed: true });
  });
}

/** For a link that could not be sent. */
export async function endEmailToken(db: Database, text: string): Promise<void> {
  await db.query(endToken, [hashOf(text)]);
}

/** Whose token it is; null where it was never made, was used, or has run out. */
export async function findEmailToken(
  db: Database,
  text: string,
  purpose: Purpose,
): Promise<EmailToken | null> {
  const [row] = await db.query<{ user_id: Uuid; mailed: boolean }>(findToken, [hashOf(text), purpose]);
  return row ? { userId: row.user_id, mailed: row.mailed } : null;
}

/** Every link of a person ends. A new password does the same by itself: see migration 0021. */
export async function endEmailTokens(db: Database, userId: Uuid): Promise<void> {
  await db.query(endTokens, [userId]);
}

/** 160 random bits make a plain hash as good as a slow one. */
const hashOf = (text: string) => Buffer.from(hash('sha256', text, 'hex'), 'hex');

const insertToken = sql(
  'insert-email-token',
  `insert into email_tokens (hash, user_id, purpose, mailed, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)`,
);
const lockOwner = sql('lock-link-owner', 'select id from auth_users where id = $1 for no key update');
const countLive = sql(
  'count-live-email-tokens',
  `select count(*) from email_tokens
    where user_id = $1 and purpose = $2 and mailed and expires_at > now() and created_at > now() - interval '1 hour'`,
);
const endToken = sql('end-email-token', 'delete from email_tokens where hash = $1');
const findToken = sql(
  'find-email-token',
  'select user_id, mailed from email_tokens where hash = $1 and purpose = $2 and expires_at > now()',
);
const endTokens = sql('end-email-tokens', 'delete from email_tokens where user_id = $1');
