import type { Clock } from '../kernel/clock.ts';
import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres.ts';
import { createEmailToken } from './email-tokens.ts';

type Parts = { readonly db: Database; readonly clock: Clock; readonly publicUrl: string };

/**
 * A link to set a new password, for an hour and once, that the operator hands on; null where nobody signs in with this e-mail.
 * It proves nothing about the address.
 */
export async function createResetLink(
  { db, clock, publicUrl }: Parts,
  email: string,
): Promise<string | null> {
  const userId = await findUserId(db, email);
  if (userId === null) return null;
  const at = clock.now();
  const token = await createEmailToken(db, { userId, purpose: 'reset', mailed: false, at });
  return linkWith(publicUrl, 'reset-password', token);
}

/** Behind the #: browsers do not send that part, so no proxy and no log on the way has the token. */
export const linkWith = (publicUrl: string, page: 'reset-password' | 'verify-email', token: string) =>
  `${publicUrl}/app/${page}#token=${token}`;

export async function findUserId(db: Database, email: string): Promise<Uuid | null> {
  const [user] = await db.query<{ id: Uuid }>(userByEmail, [email.toLowerCase()]);
  return user?.id ?? null;
}

const userByEmail = sql('user-by-email', 'select id from auth_users where email = $1');
