import { hash, randomBytes } from 'node:crypto';
import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';

/**
 * Browsers from which a user has signed in before. Such a browser has its own rate limit, so that attackers who guess passwords
 * cannot lock the owner out, and a sign-in from any other browser sends a mail. The cookie is a random token, of which PostgreSQL
 * has the hash; it grants no access.
 */
const dayMs = 24 * 60 * 60_000;
const lifetimeMs = 365 * dayMs;
/** Of one user; a new browser replaces the oldest. */
const maxBrowsers = 20;
/** Cookies that are read. In a browser that more people share, the others are treated as new. */
const maxCookies = 10;

/** `__Host-` over https: no other host can then set the cookie. */
const choosePrefix = (publicUrl: string) =>
  publicUrl.startsWith('https:') ? '__Host-signpost.known.' : 'signpost.known.';

/** The hashes of a browser's cookies, of all users. */
export function knownHashes(headers: Headers, publicUrl: string): readonly Buffer[] {
  const prefix = choosePrefix(publicUrl);
  return (headers.get('cookie') ?? '')
    .split(';')
    .map(cookie => cookie.trim())
    .filter(cookie => cookie.startsWith(prefix))
    .map(cookie => cookie.slice(cookie.indexOf('=') + 1))
    .filter(value => /^[\w-]{27}$/.test(value))
    .slice(0, maxCookies)
    .map(hashValue);
}

/** Records a browser as known to a user; returns the cookie to set. Each user of a browser has a cookie of their own name. */
export async function rememberBrowser(
  db: Database,
  userId: Uuid,
  at: Date,
  publicUrl: string,
): Promise<string> {
  const value = randomBytes(20).toString('base64url');
  const expiresAt = new Date(at.getTime() + lifetimeMs);
  await db.query(remember, [hashValue(value), userId, at, expiresAt, maxBrowsers]);
  const name = `${choosePrefix(publicUrl)}${hash('sha256', userId, 'hex').slice(0, 12)}`;
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}; Max-Age=${lifetimeMs / 1000}; Path=/; HttpOnly; SameSite=Strict${secure}`;
}

const hashValue = (value: string) => Buffer.from(hash('sha256', value, 'hex'), 'hex');

/** Locks the user's row first, as every change or deletion of a user does: the other order could deadlock. */
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
