import type { Clock } from '../../kernel/clock.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import { createEmailToken } from './email-tokens.ts';

type Parts = { readonly db: Database; readonly clock: Clock; readonly publicUrl: string };

/**
 * A link to set a new password, which works once within an hour and which the operator passes on; null if no user has this e-mail
 * address. Using it does not confirm the address.
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

/** The token is in the fragment, which browsers do not send: it reaches no proxy and no log. */
export const linkWith = (
  publicUrl: string,
  page: 'reset-password' | 'verify-email' | 'confirm-email' | 'invitation',
  token: string,
) => `${publicUrl}/app/${page}#token=${token}`;

export async function findUserId(db: Database, email: string): Promise<Uuid | null> {
  const [user] = await db.query<{ id: Uuid }>(userByEmail, [email.toLowerCase()]);
  return user?.id ?? null;
}

const userByEmail = sql('user-by-email', 'select id from auth_users where email = $1');
