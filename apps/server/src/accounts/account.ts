import type { Caller, Mode, Standing } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';
import type { KeyTerms } from './key-terms.ts';

/** Owns codes and keys, and is on a plan. */
export type Account = {
  readonly id: Uuid;
  readonly name: string;
  readonly plan: string;
  readonly createdAt: Date;
  readonly closedAt: Date | null;
};

/** A plan with the number of accounts on it that are not closed. */
export type ListedPlan = Caller['plan'] & { readonly accounts: number; readonly members: number | null };

/** A key as it can be shown later: everything but its text. */
export type StoredKey = KeyTerms & {
  readonly id: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  /** What it is for, as its owner wrote it. */
  readonly name: string;
  readonly hint: string;
  /** The person who created it; null where the operator did, or the person was deleted. */
  readonly createdBy: Uuid | null;
  readonly createdAt: Date;
  /** Accurate to a minute or two. */
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
};

/** A key as a list shows it. */
export type ListedKey = StoredKey & {
  /** The name of the person who created it; null where that is nobody. */
  readonly creatorName: string | null;
};

/** Which keys of an account are revoked together: all, or those that a person created, or created before a time. */
export type KeysToRevoke = { readonly createdBefore?: Date | null; readonly createdBy?: Uuid | null };

/** The standing of an account `a`, for every statement that reads it: one lookup in an index of few accounts. */
export const standingColumns =
  'a.held_at, a.signed_up, suspension.reason as suspended_for, suspension.suspended_at';
export const standingJoin = `left join suspensions suspension
       on suspension.account_id = a.id and suspension.qr_code_id is null and suspension.released_at is null`;

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

const unchangedColumns = 'p.name as plan, p.quota_scope, p.webhooks, p.session_codes, p.test_codes';

/** A plan `p`. */
export const planColumns = `${unchangedColumns}, p.requests_per_minute, p.code_quota, p.creations_per_minute`;

/** The plan `p` of an account `a`, with the limits that the operator has set for this account. */
export const accountPlanColumns = `${unchangedColumns},
          coalesce(a.requests_per_minute, p.requests_per_minute) as requests_per_minute,
          coalesce(a.code_quota, p.code_quota) as code_quota,
          coalesce(a.creations_per_minute, p.creations_per_minute) as creations_per_minute`;

/** Limits of one account in place of its plan's. Null: the plan's; undefined: unchanged. */
export type OwnLimits = {
  readonly requestsPerMinute?: number | null | undefined;
  readonly codes?: number | null | undefined;
  readonly creationsPerMinute?: number | null | undefined;
};

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
  /** Created by sign-up, and not by the operator. */
  readonly signedUp?: boolean;
  /** Its links do not work until the owner has confirmed the e-mail address. */
  readonly held?: boolean;
  /** The account whose operator key creates it. */
  readonly platformId?: Uuid;
  readonly externalId?: string | null;
};

export async function addAccount(tx: Database, account: NewAccount): Promise<void> {
  const { id, name, plan, createdAt, signedUp = false, held = false } = account;
  const { platformId = null, externalId = null } = account;
  const values = [id, name, plan, createdAt, signedUp, held ? createdAt : null, platformId, externalId];
  await tx.query(insertAccount, values);
}

const insertAccount = sql(
  'insert-account',
  `insert into accounts (id, name, plan, created_at, signed_up, held_at, platform_id, external_id)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

/** What the account itself is told besides its plan. Null bytes: no limit. */
export async function findAccountSummary(db: Database, accountId: Uuid): Promise<AccountSummary> {
  const [row] = await db.query<SummaryRow>(accountSummary, [accountId]);
  return {
    name: row?.name ?? '',
    assetBytes: row?.bytes == null ? null : Number(row.bytes),
    memberLimit: row?.member_limit ?? null,
    members: row?.members ?? 0,
  };
}

export type AccountSummary = {
  readonly name: string;
  /** Null: no limit, as for the next. */
  readonly assetBytes: number | null;
  readonly memberLimit: number | null;
  /** With pending invitations. */
  readonly members: number;
};

type SummaryRow = { name: string; bytes: string | null; member_limit: number | null; members: number };

const accountSummary = sql(
  'account-summary',
  `select a.name, p.asset_bytes as bytes, p.members as member_limit,
          (select count(*) from members m where m.account_id = a.id)
            + (select count(*) from invitations i where i.account_id = a.id and i.expires_at > now()) as members
     from accounts a join plans p on p.name = a.plan where a.id = $1`,
);

/** What is left out stays as it is. */
export type AccountChange = {
  readonly name?: string | undefined;
  readonly editorsDelete?: boolean | undefined;
};

export async function changeAccount(tx: Database, id: Uuid, change: AccountChange): Promise<void> {
  await tx.query(updateAccount, [id, change.name ?? null, change.editorsDelete ?? null]);
}

const updateAccount = sql(
  'change-account',
  'update accounts set name = coalesce($2, name), editors_delete = coalesce($3, editors_delete) where id = $1',
);

/** Releases the accounts that waited for a user to confirm the address. Resolves to their ids. */
export async function releaseHeldAccounts(tx: Database, userId: Uuid): Promise<readonly Uuid[]> {
  return (await tx.query<{ id: Uuid }>(releaseHeld, [userId])).map(({ id }) => id);
}

const releaseHeld = sql(
  'release-held-accounts',
  `update accounts a set held_at = null
     from members m
    where m.user_id = $1 and m.role = 'owner' and a.id = m.account_id and a.held_at is not null
   returning a.id`,
);

/**
 * Refuses a change that began while the account was held and would end after its release: the owner may have confirmed
 * the address meanwhile, which disables everything made before. Call it under a lock that the release takes too.
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
