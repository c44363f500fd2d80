import type { Language } from '@signpost/contract';
import type { Mode } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';
import type { Session } from './user.ts';

/** What is known before a sign-in: the browser, if the owner has used it before, and the hash of the password. */
export async function findSignInAttempt(
  db: Database,
  email: string,
  browsers: readonly Buffer[],
): Promise<{ readonly browser: string | null; readonly password: string | null }> {
  const [row] = await db.query<{ browser: string | null; password: string | null }>(signInAttempt, [
    email,
    browsers,
  ]);
  return row ?? { browser: null, password: null };
}

/** The hash of a user's password; null if none is set. */
export async function findPassword(db: Database, userId: Uuid): Promise<string | null> {
  const [row] = await db.query<{ password: string | null }>(readPassword, [userId]);
  return row?.password ?? null;
}

/** Whether this is still the hash of the user's password. Waits for a concurrent change. */
export async function isPassword(db: Database, userId: Uuid, password: string | null): Promise<boolean> {
  const [row] = await db.query<{ password: string | null }>(selectPassword, [userId]);
  return row !== undefined && row.password === password;
}

export async function endSessionByToken(db: Database, token: string): Promise<void> {
  await db.query(deleteByToken, [token]);
}

/** Changes what is given. */
export async function updateProfile(
  db: Database,
  userId: Uuid,
  { name, language }: { readonly name?: string | undefined; readonly language?: Language | undefined },
  at: Date,
): Promise<void> {
  await db.query(saveProfile, [userId, name ?? null, language ?? null, at]);
}

/** The language that the person chose; null if none. */
export async function findLanguage(db: Database, userId: Uuid): Promise<Language | null> {
  const [row] = await db.query<{ language: Language | null }>(languageOfUser, [userId]);
  return row?.language ?? null;
}

/** That of the person with this address. */
export async function findLanguageByEmail(db: Database, email: string): Promise<Language | null> {
  const [row] = await db.query<{ language: Language | null }>(languageOfAddress, [email]);
  return row?.language ?? null;
}

/** How many codes count against each limit of the plan: live codes by how they were created, and test codes. */
export type Used = {
  readonly api: number;
  readonly sessions: number;
  readonly pool: number;
  readonly test: number;
};

export async function countUsed(db: Database, accountId: Uuid): Promise<Used> {
  const rows = await db.query<{ mode: Mode; api: number; pool: number }>(usedCodes, [accountId]);
  const findCounts = (mode: Mode) => rows.find(row => row.mode === mode) ?? { api: 0, pool: 0 };
  const { api, pool } = findCounts('live');
  return { api, sessions: pool - api, pool, test: findCounts('test').pool };
}

export async function listSessions(db: Database, userId: Uuid, now: Date): Promise<Session[]> {
  const rows = await db.query<SessionRow>(selectSessions, [userId, now]);
  return rows.map(row => ({
    id: row.id,
    device: row.device ?? '',
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }));
}

export async function endSession(db: Database, userId: Uuid, sessionId: Uuid): Promise<boolean> {
  return (await db.query(deleteSession, [userId, sessionId])).length > 0;
}

export async function endOtherSessions(db: Database, userId: Uuid, exceptId: Uuid): Promise<void> {
  await db.query(deleteOthers, [userId, exceptId]);
}

/** Those of these sessions that have not ended. */
export async function findActiveSessions(db: Database, ids: readonly Uuid[], now: Date): Promise<Set<Uuid>> {
  return new Set((await db.query<{ id: Uuid }>(activeSessions, [ids, now])).map(row => row.id));
}

type Watched = { readonly sessionId: Uuid; readonly userId: Uuid; readonly accountId: Uuid };

/** Those of these whose session has not ended, and whose person still belongs to the account. */
export async function findOpen<W extends Watched>(
  db: Database,
  watched: readonly W[],
  now: Date,
): Promise<W[]> {
  const columns = [watched.map(w => w.sessionId), watched.map(w => w.userId), watched.map(w => w.accountId)];
  const rows = await db.query<{ at: number }>(openSessions, [...columns, now]);
  return rows.map(({ at }) => watched[at - 1]!);
}

/**
 * Removes expired sessions, links and browsers, invitations that ended 30 days ago, and people who have belonged to no account for
 * as long: a bounded number at a time.
 */
export async function removeExpired(db: Database, limit: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(deleteExpired, [limit]);
  return row?.count ?? 0;
}

const signInAttempt = sql(
  'find-sign-in-attempt',
  `select c.password, encode(k.hash, 'hex') as browser
     from auth_users u
     left join auth_credentials c on c.user_id = u.id and c.provider_id = 'credential'
     left join known_browsers k on k.user_id = u.id and k.hash = any($2::bytea[]) and k.expires_at > now()
    where u.email = $1 limit 1`,
);
const readPassword = sql(
  'read-password',
  `select password from auth_credentials where user_id = $1 and provider_id = 'credential'`,
);
const selectPassword = sql(
  'password-of-user',
  `select password from auth_credentials where user_id = $1 and provider_id = 'credential' for share`,
);
const deleteByToken = sql('end-session-by-token', 'delete from auth_sessions where token = $1');

const saveProfile = sql(
  'update-profile',
  `update auth_users set name = coalesce($2, name), language = coalesce($3, language), updated_at = $4
    where id = $1`,
);
const languageOfUser = sql('language-of-user', 'select language from auth_users where id = $1');
const languageOfAddress = sql('language-of-address', 'select language from auth_users where email = $1');

const usedCodes = sql(
  'used-codes',
  'select mode, made_by_api as api, active + paused + draft + archived as pool from code_counts where account_id = $1',
);

const selectSessions = sql(
  'sessions-of-user',
  `select id, device, created_at, expires_at from auth_sessions
    where user_id = $1 and expires_at > $2 order by created_at desc, id desc limit 200`,
);
const deleteSession = sql(
  'end-session',
  'delete from auth_sessions where user_id = $1 and id = $2 returning id',
);
const deleteOthers = sql('end-other-sessions', 'delete from auth_sessions where user_id = $1 and id <> $2');
const activeSessions = sql(
  'active-sessions',
  'select id from auth_sessions where id = any($1::uuid[]) and expires_at > $2',
);

const openSessions = sql(
  'open-sessions-of-members',
  `select w.at::integer as at
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as w (session_id, user_id, account_id, at)
     join auth_sessions s on s.id = w.session_id and s.user_id = w.user_id and s.expires_at > $4
     join members m on m.user_id = w.user_id and m.account_id = w.account_id`,
);

const deleteExpired = sql(
  'remove-expired-sessions',
  `with sessions as (
     delete from auth_sessions where id in (
       select id from auth_sessions where expires_at < now() order by expires_at limit $1) returning 1
   ), links as (
     delete from email_tokens where hash in (
       select hash from email_tokens where expires_at < now() order by expires_at limit $1) returning 1
   ), browsers as (
     delete from known_browsers where hash in (
       select hash from known_browsers where expires_at < now() order by expires_at limit $1) returning 1
   ), invitations as (
     delete from invitations where id in (
       select id from invitations where expires_at < now() - interval '30 days' order by expires_at limit $1)
     returning 1
   ), people as (
     delete from auth_users u where u.id in (
       select id from auth_users where no_account_at < now() - interval '30 days' order by no_account_at limit $1)
        and u.no_account_at < now() - interval '30 days'
        and not exists (select from operators o where o.user_id = u.id) returning 1
   )
   select (select count(*) from sessions) + (select count(*) from links) + (select count(*) from browsers)
        + (select count(*) from invitations) + (select count(*) from people) as count`,
);

type SessionRow = { id: Uuid; device: string | null; created_at: Date; expires_at: Date };
