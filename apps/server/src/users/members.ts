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
} from '../accounts/account.ts';
import type { Caller, Standing } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';
import { writeAccountStop } from '../redirect/changes/stops/stop-writer.ts';

/** A person's account, and whether the person is an operator. */
export type Member = Pick<Caller, 'accountId' | 'testTag' | 'plan' | keyof Standing> & {
  readonly isOperator: boolean;
};

/** What a person may do in an account. */
type Role = 'owner';

export type NewAccountOfUser = NewAccount & { readonly ownerId: Uuid };

/** The account that a person works in: the oldest, if there are several. */
export async function findMember(db: Database, userId: Uuid): Promise<Member | null> {
  const [row] = await db.query<MemberRow>(oldestMembership, [userId]);
  return row
    ? {
        accountId: row.account_id,
        testTag: row.test_tag,
        isOperator: row.is_operator,
        ...toStanding(row),
        plan: toPlan(row),
      }
    : null;
}

/** Creates an account with its owner. */
export async function openAccount(tx: Database, account: NewAccountOfUser): Promise<void> {
  const { id, ownerId, createdAt, held = false } = account;
  await addAccount(tx, account);
  await tx.query(insertMember, [ownerId, id, 'owner' satisfies Role, createdAt]);
  // No redirect has to be notified: the account has no codes yet, and redirects look up codes that they do not know.
  if (held) await writeAccountStop(tx, id, createdAt);
}

export type MemberOfAccount = {
  readonly userId: Uuid;
  readonly email: string;
  readonly isOperator: boolean;
  /** Whether the person is deleted with this account. */
  readonly hasNoOtherAccount: boolean;
};

/** The people of an account, the oldest first. */
export async function listMembers(db: Database, accountId: Uuid): Promise<MemberOfAccount[]> {
  const rows = await db.query<MemberOfAccountRow>(membersOfAccount, [accountId]);
  return rows.map(row => ({
    userId: row.user_id,
    email: row.email,
    isOperator: row.is_operator,
    hasNoOtherAccount: row.has_no_other_account,
  }));
}

const oldestMembership = sql(
  'find-member',
  `select m.account_id, exists (select from operators o where o.user_id = m.user_id) as is_operator,
          a.test_tag, ${accountPlanColumns}, ${standingColumns}
     from members m join accounts a on a.id = m.account_id join plans p on p.name = a.plan ${standingJoin}
    where m.user_id = $1
    order by m.created_at, m.account_id limit 1`,
);

const insertMember = sql(
  'insert-member',
  'insert into members (user_id, account_id, role, created_at) values ($1, $2, $3, $4)',
);

const membersOfAccount = sql(
  'members-of-account',
  `select m.user_id, u.email,
          exists (select from operators o where o.user_id = m.user_id) as is_operator,
          not exists (select from members other
                       where other.user_id = m.user_id and other.account_id <> m.account_id) as has_no_other_account
     from members m join auth_users u on u.id = m.user_id
    where m.account_id = $1 order by m.created_at, m.user_id`,
);

type MemberRow = {
  account_id: Uuid;
  test_tag: string;
  is_operator: boolean;
} & PlanRow &
  StandingRow;

type MemberOfAccountRow = {
  user_id: Uuid;
  email: string;
  is_operator: boolean;
  has_no_other_account: boolean;
};
