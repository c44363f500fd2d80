import type { Caller, Mode, Standing } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres.ts';

/** Who owns codes and keys, and on which plan. */
export type Account = {
  readonly id: Uuid;
  readonly name: string;
  readonly plan: string;
  readonly createdAt: Date;
  readonly closedAt: Date | null;
};

/** A key as it can be shown again: all but the key itself. */
export type StoredKey = {
  readonly id: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  /** What it is for, in its owner's words. */
  readonly name: string;
  readonly hint: string;
  readonly createdAt: Date;
  /** Right to a minute or two. */
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
};

/** How an account `a` stands, for whatever statement reads it: one look at an index that holds few accounts. */
export const standingColumns =
  'a.held_at, a.signed_up, stopped.reason as suspended_for, stopped.suspended_at';
export const standingJoin = `left join suspensions stopped
       on stopped.account_id = a.id and stopped.qr_code_id is null and stopped.released_at is null`;

export type StandingRow = {
  held_at: Date | null;
  signed_up: boolean;
  suspended_for: string | null;
  suspended_at: Date | null;
};

export const toStanding = (row: StandingRow): Standing => ({
  suspension:
    row.suspended_for === null || row.suspended_at === null
      ? null
      : { reason: row.suspended_for, since: row.suspended_at },
  heldSince: row.held_at,
  signedUp: row.signed_up,
});

/** The plan `p` of an account, likewise. */
export const planColumns = `p.name as plan, p.requests_per_minute, p.code_quota, p.quota_scope, p.webhooks,
          p.session_codes, p.test_codes, p.creations_per_minute`;

export type PlanRow = {
  plan: string;
  requests_per_minute: number;
  code_quota: number | null;
  quota_scope: 'api' | 'pool';
  webhooks: boolean;
  session_codes: number | null;
  test_codes: number | null;
  creations_per_minute: number | null;
};

export const toPlan = (row: PlanRow): Caller['plan'] => ({
  name: row.plan,
  requestsPerMinute: row.requests_per_minute,
  codeQuota: row.code_quota,
  quotaScope: row.quota_scope,
  webhooks: row.webhooks,
  sessionCodes: row.session_codes,
  testCodes: row.test_codes,
  creationsPerMinute: row.creations_per_minute,
});

export type NewAccount = Omit<Account, 'closedAt'> & {
  /** Made by a stranger who signed up. */
  readonly signedUp?: boolean;
  /** Its links wait until the owner has confirmed the address. */
  readonly held?: boolean;
};

export async function addAccount(tx: Database, account: NewAccount): Promise<void> {
  const { id, name, plan, createdAt, signedUp = false, held = false } = account;
  await tx.query(insertAccount, [id, name, plan, createdAt, signedUp, held ? createdAt : null]);
  await tx.query(insertTallies, [id]);
}

const insertAccount = sql(
  'insert-account',
  'insert into accounts (id, name, plan, created_at, signed_up, held_at) values ($1, $2, $3, $4, $5, $6)',
);

const insertTallies = sql(
  'insert-tallies',
  `insert into code_tallies (account_id, mode) values ($1, 'live'), ($1, 'test')`,
);

/**
 * Refuses what somebody began while the account was held and would finish after it is not: the owner may have come meanwhile,
 * and everything that was there taken out of use. Ask under a lock that whoever does that takes too.
 */
export async function refuseReleased(
  tx: Database,
  { accountId, heldSince }: Pick<Caller, 'accountId' | 'heldSince'>,
): Promise<void> {
  if (heldSince === null || (await tx.query(stillHeld, [accountId])).length > 0) return;
  throw new AppError(
    'unavailable',
    'The e-mail address of this account was confirmed a moment ago. Try again.',
    {
      retryAfterSeconds: 1,
    },
  );
}

const stillHeld = sql('account-still-held', 'select from accounts where id = $1 and held_at is not null');
