import { hash, randomBytes } from 'node:crypto';
import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres.ts';

/**
 * Browsers in which a user has signed in before. Such a browser has limits of its own, so strangers who guess cannot keep
 * it out, and a sign-in from any other is worth a mail. The cookie has a random text, PostgreSQL its hash; it opens nothing.
 */
const dayMs = 24 * 60 * 60_000;
const lifeMs = 365 * dayMs;
/** Of one user; the oldest is forgotten for a new one. */
const maxBrowsers = 20;
/** Cookies that are looked at: a browser of so many people has the rest treated as new. */
const maxCookies = 10;

/** `__Host-` where that is possible: no other host can then plant one. */
const prefixOf = (publicUrl: string) =>
  publicUrl.startsWith('https:') ? '__Host-signpost.known.' : 'signpost.known.';

/** The hashes of what a browser brings along, whoever's it is. */
export function knownHashes(headers: Headers, publicUrl: string): readonly Buffer[] {
  const prefix = prefixOf(publicUrl);
  return (headers.get('cookie') ?? '')
    .split(';')
    .map(cookie => cookie.trim())
    .filter(cookie => cookie.startsWith(prefix))
    .map(cookie => cookie.slice(cookie.indexOf('=') + 1))
    .filter(value => /^[\w-]{27}$/.test(value))
    .slice(0, maxCookies)
    .map(hashOf);
}

/** Makes a browser known to a user; the cookie to set. There is one for each user of a browser, by its name. */
export async function rememberBrowser(
  db: Database,
  userId: Uuid,
  at: Date,
  publicUrl: string,
): Promise<string> {
  const value = randomBytes(20).toString('base64url');
  const expiresAt = new Date(at.getTime() + lifeMs);
  await db.query(remember, [hashOf(value), userId, at, expiresAt, maxBrowsers]);
  const name = `${prefixOf(publicUrl)}${hash('sha256', userId, 'hex').slice(0, 12)}`;
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}; Max-Age=${lifeMs / 1000}; Path=/; HttpOnly; SameSite=Strict${secure}`;
}

const hashOf = (value: string) => Buffer.from(hash('sha256', value, 'hex'), 'hex');

/** The user's row first, as everybody locks who changes or deletes a person: the other order could deadlock with them. */
const remember = sql(
  'remember-browser',
  `with owner as (
     select id from auth_users where id = $2 for no key update
   ), old as (
     delete from known_browsers where hash in (
       select hash from known_browsers where user_id = (select id from owner)
        order by created_at desc offset $5::integer - 1)
   )
   insert into known_browsers (hash, user_id, created_at, expires_at) select $1, id, $3, $4 from owner`,
);
