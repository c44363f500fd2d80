import { listPermissions, type Role } from '@signpost/contract';
import {
  accountPlanColumns,
  addAccount,
  type NewAccount,
  type PlanRow,
  type StandingRow,
  standingColumns,
  standingJoin,
  toPlan,
  toStanding,
} from '../../accounts/account.ts';
import type { Caller, Standing } from '../../kernel/caller.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import { writeAccountStop } from '../../redirect/changes/stops/stop-writer.ts';

/** An account of a person, and what the person is in it. */
export type Membership = Pick<Caller, 'accountId' | 'testTag' | 'plan' | 'permissions' | keyof Standing> & {
  readonly role: Role;
  readonly name: string;
  readonly editorsDelete: boolean;
};

/** What a person who is signed in may act for. */
export type Standpoint = {
  readonly isOperator: boolean;
  /** The account that was asked for, or the only one; null if there is none, or several. */
  readonly membership: Membership | null;
  /** Whether the person belongs to any account. */
  readonly hasAccount: boolean;
};

/** Finds the account with this id, or the only one, in one query. */
export async function findStandpoint(
  db: Database,
  userId: Uuid,
  accountId: Uuid | null,
): Promise<Standpoint> {
  const rows = await db.query<StandpointRow>(standpoint, [userId, accountId]);
  const found = rows.filter(isMembership);
  return {
    isOperator: rows[0]!.is_operator,
    membership: found.length === 1 ? toMembership(found[0]!) : null,
    hasAccount: rows[0]!.has_account,
  };
}

/** All accounts of a person, the oldest membership first. */
export async function listMemberships(db: Database, userId: Uuid): Promise<Membership[]> {
  return (await db.query<MembershipRow>(memberships, [userId])).map(toMembership);
}

export type NewMember = {
  readonly userId: Uuid;
  readonly accountId: Uuid;
  readonly role: Role;
  /** Not the person's own account. */
  readonly invited?: boolean;
  readonly at: Date;
};

/** Returns false if the person belongs to the account already. */
export async function addMember(tx: Database, member: NewMember): Promise<boolean> {
  const { userId, accountId, role, invited = false, at } = member;
  return (await tx.query(insertMember, [userId, accountId, role, at, invited])).length > 0;
}

export type NewAccountOfUser = NewAccount & { readonly ownerId: Uuid };

/** Creates an account with its owner. */
export async function openAccount(tx: Database, account: NewAccountOfUser): Promise<void> {
  const { id, ownerId, createdAt, held = false } = account;
  await addAccount(tx, account);
  await addMember(tx, { userId: ownerId, accountId: id, role: 'owner', at: createdAt });
  // No redirect has to be notified: the account has no codes yet, and redirects look up codes that they do not know.
  if (held) await writeAccountStop(tx, id, createdAt);
}

/**
 * Whether the person still belongs to the account with one of these permissions, until the transaction ends: a removal or a
 * change of role waits for it.
 */
export async function lockMembership(tx: Database, userId: Uuid, accountId: Uuid): Promise<Role | null> {
  const [row] = await tx.query<{ role: Role }>(shareMembership, [userId, accountId]);
  return row?.role ?? null;
}

export type MemberOfAccount = {
  readonly userId: Uuid;
  readonly email: string;
  readonly isOperator: boolean;
};

/** The people of an account, the oldest first. */
export async function listMembers(db: Database, accountId: Uuid): Promise<MemberOfAccount[]> {
  const rows = await db.query<MemberOfAccountRow>(membersOfAccount, [accountId]);
  return rows.map(row => ({ userId: row.user_id, email: row.email, isOperator: row.is_operator }));
}

const membershipColumns = `m.account_id, m.role, a.name as account_name, a.editors_delete, a.test_tag,
          ${accountPlanColumns}, ${standingColumns}`;
const membershipJoins = `join accounts a on a.id = m.account_id join plans p on p.name = a.plan ${standingJoin}`;

// Two rows are enough to know that there are several.
const standpoint = sql(
  'find-standpoint',
  `select exists (select from operators o where o.user_id = u.id) as is_operator,
          exists (select from members x where x.user_id = u.id) as has_account, found.*
     from (select $1::uuid as id) u
     left join lateral (
       select ${membershipColumns}
         from members m ${membershipJoins}
        where m.user_id = u.id and ($2::uuid is null or m.account_id = $2)
        order by m.created_at, m.account_id limit 2) found on true`,
);

const memberships = sql(
  'list-memberships',
  `select ${membershipColumns} from members m ${membershipJoins}
    where m.user_id = $1 order by m.created_at, m.account_id`,
);

const insertMember = sql(
  'insert-member',
  `with joined as (
     insert into members (user_id, account_id, role, created_at, invited) values ($1, $2, $3, $4, $5)
     on conflict do nothing returning user_id
   )
   update auth_users u set no_account_at = null from joined where u.id = joined.user_id returning u.id`,
);

const shareMembership = sql(
  'share-membership',
  'select role from members where user_id = $1 and account_id = $2 for share',
);

const membersOfAccount = sql(
  'members-of-account',
  `select m.user_id, u.email, exists (select from operators o where o.user_id = m.user_id) as is_operator
     from members m join auth_users u on u.id = m.user_id
    where m.account_id = $1 order by m.created_at, m.user_id`,
);

type MembershipRow = {
  account_id: Uuid;
  role: Role;
  account_name: string;
  editors_delete: boolean;
  test_tag: string;
} & PlanRow &
  StandingRow;

type StandpointRow = { is_operator: boolean; has_account: boolean } & (MembershipRow | { account_id: null });

const isMembership = (row: StandpointRow): row is StandpointRow & MembershipRow => row.account_id !== null;

const toMembership = (row: MembershipRow): Membership => ({
  accountId: row.account_id,
  role: row.role,
  permissions: listPermissions(row.role, row.editors_delete),
  name: row.account_name,
  editorsDelete: row.editors_delete,
  testTag: row.test_tag,
  ...toStanding(row),
  plan: toPlan(row),
});

type MemberOfAccountRow = { user_id: Uuid; email: string; is_operator: boolean };
