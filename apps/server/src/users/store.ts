import type { Caller, Mode } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres.ts';
import type { Session } from './user.ts';

/** What belongs to a user besides what better-auth keeps. */
export type Member = Pick<Caller, 'accountId' | 'plan'> & { readonly isOperator: boolean };

export type NewMember = {
  readonly userId: Uuid;
  readonly accountId: Uuid;
  readonly name: string;
  readonly plan: string;
  readonly isOperator: boolean;
  readonly at: Date;
};

/** One at a time over all processes, until the end of the transaction: only then is the first user the first. */
export async function lockSignUps(tx: Database): Promise<void> {
  await tx.query(lock);
}

export async function hasUsers(db: Database): Promise<boolean> {
  return (await db.query(anyUser)).length > 0;
}

export async function hasMembers(db: Database): Promise<boolean> {
  return (await db.query(anyMember)).length > 0;
}

export async function findMember(db: Database, userId: Uuid): Promise<Member | null> {
  const [row] = await db.query<MemberRow>(memberOf, [userId]);
  return row
    ? {
        accountId: row.account_id,
        isOperator: row.is_operator,
        plan: {
          name: row.plan,
          requestsPerMinute: row.requests_per_minute,
          codeQuota: row.code_quota,
          quotaScope: row.quota_scope,
          webhooks: row.webhooks,
        },
      }
    : null;
}

export async function insertMember(tx: Database, member: NewMember): Promise<void> {
  const { userId, accountId, name, plan, isOperator, at } = member;
  await tx.query(insertAccount, [accountId, name, plan, at]);
  await tx.query(insertTallies, [accountId]);
  await tx.query(insertMembership, [userId, accountId, isOperator, at]);
}

/** Who signs in to an account. */
export async function findOwner(
  db: Database,
  accountId: Uuid,
): Promise<{ readonly email: string; readonly isOperator: boolean } | null> {
  const [row] = await db.query<{ email: string; is_operator: boolean }>(ownerOf, [accountId]);
  return row ? { email: row.email, isOperator: row.is_operator } : null;
}

/** With their sessions, their password and links to set another. The e-mail may sign up anew. */
export async function removeOwner(db: Database, accountId: Uuid): Promise<void> {
  await db.transaction(async tx => {
    const [row] = await tx.query<{ user_id: Uuid }>(deleteMembership, [accountId]);
    if (!row) return;
    await tx.query(deleteVerifications, [row.user_id]);
    await tx.query(deleteUser, [row.user_id]);
  });
}

export async function setName(db: Database, userId: Uuid, name: string, at: Date): Promise<void> {
  await db.query(rename, [userId, name, at]);
}

export async function findAccountName(db: Database, accountId: Uuid): Promise<string> {
  const [row] = await db.query<{ name: string }>(accountName, [accountId]);
  return row?.name ?? '';
}

/** How many live codes count against the plan. */
export async function countUsed(db: Database, accountId: Uuid, scope: 'api' | 'pool'): Promise<number> {
  const [row] = await db.query<{ api: number; pool: number }>(usedCodes, [accountId, 'live' satisfies Mode]);
  return row?.[scope] ?? 0;
}

export async function listSessions(db: Database, userId: Uuid, now: Date): Promise<Session[]> {
  const rows = await db.query<SessionRow>(sessionsOf, [userId, now]);
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

export async function endOtherSessions(db: Database, userId: Uuid, keptId: Uuid): Promise<void> {
  await db.query(deleteOthers, [userId, keptId]);
}

/** Those of these sessions that are still good. */
export async function livingSessions(db: Database, ids: readonly Uuid[], now: Date): Promise<Set<Uuid>> {
  return new Set((await db.query<{ id: Uuid }>(living, [ids, now])).map(row => row.id));
}

/** Removes sessions and links that have run out, a bounded number at a time. */
export async function removeExpired(db: Database, limit: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(expired, [limit]);
  return row?.count ?? 0;
}

const lock = sql('lock-sign-ups', `select pg_advisory_xact_lock(hashtextextended('signpost sign-up', 0))`);
const anyUser = sql('any-user', 'select 1 from auth_users limit 1');
const anyMember = sql('any-member', 'select 1 from members limit 1');

const memberOf = sql(
  'find-member',
  `select m.account_id, m.is_operator, p.name as plan, p.requests_per_minute, p.code_quota, p.quota_scope, p.webhooks
     from members m join accounts a on a.id = m.account_id join plans p on p.name = a.plan
    where m.user_id = $1`,
);

const insertAccount = sql(
  'insert-account-of-user',
  'insert into accounts (id, name, plan, created_at) values ($1, $2, $3, $4)',
);
const insertTallies = sql(
  'insert-tallies-of-user',
  `insert into code_tallies (account_id, mode) values ($1, 'live'), ($1, 'test')`,
);
const insertMembership = sql(
  'insert-member',
  'insert into members (user_id, account_id, is_operator, created_at) values ($1, $2, $3, $4)',
);

const ownerOf = sql(
  'owner-of-account',
  'select u.email, m.is_operator from members m join auth_users u on u.id = m.user_id where m.account_id = $1',
);
const deleteMembership = sql('delete-member', 'delete from members where account_id = $1 returning user_id');
const deleteVerifications = sql(
  'delete-verifications',
  'delete from auth_verifications where value = $1::uuid::text',
);
const deleteUser = sql('delete-user', 'delete from auth_users where id = $1');

const rename = sql('rename-user', 'update auth_users set name = $2, updated_at = $3 where id = $1');
const accountName = sql('account-name', 'select name from accounts where id = $1');

const usedCodes = sql(
  'used-codes',
  'select made_by_api as api, active + paused + draft as pool from code_tallies where account_id = $1 and mode = $2',
);

const sessionsOf = sql(
  'sessions-of-user',
  `select id, device, created_at, expires_at from auth_sessions
    where user_id = $1 and expires_at > $2 order by created_at desc, id desc limit 200`,
);
const deleteSession = sql(
  'end-session',
  'delete from auth_sessions where user_id = $1 and id = $2 returning id',
);
const deleteOthers = sql('end-other-sessions', 'delete from auth_sessions where user_id = $1 and id <> $2');
const living = sql(
  'living-sessions',
  'select id from auth_sessions where id = any($1::uuid[]) and expires_at > $2',
);

const expired = sql(
  'remove-expired-sessions',
  `with sessions as (
     delete from auth_sessions where id in (
       select id from auth_sessions where expires_at < now() order by expires_at limit $1) returning 1
   ), links as (
     delete from auth_verifications where id in (
       select id from auth_verifications where expires_at < now() order by expires_at limit $1) returning 1
   )
   select (select count(*) from sessions) + (select count(*) from links) as count`,
);

type MemberRow = {
  account_id: Uuid;
  is_operator: boolean;
  plan: string;
  requests_per_minute: number;
  code_quota: number | null;
  quota_scope: 'api' | 'pool';
  webhooks: boolean;
};

type SessionRow = { id: Uuid; device: string | null; created_at: Date; expires_at: Date };
