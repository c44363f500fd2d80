import type { Role } from '@signpost/contract';
import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import { lockOperators } from '../operators/operators.ts';

/**
 * Removes everybody from an account, and its invitations. A person without another account is deleted with sessions, password and
 * links, if the account was their own; the e-mail address may sign up again. Somebody who was invited keeps the sign-in for 30
 * days, and an operator for good.
 */
export async function removeMembers(db: Database, accountId: Uuid, at: Date): Promise<void> {
  await db.transaction(async tx => {
    // Nobody becomes an operator meanwhile.
    await lockOperators(tx);
    await tx.query(deleteInvitations, [accountId]);
    const rows = await tx.query<{ user_id: Uuid; invited: boolean }>(deleteMembers, [accountId]);
    for (const { user_id: userId, invited } of rows) {
      if (!invited) await tx.query(deleteUser, [userId]);
      await noteNoAccount(tx, userId, at);
    }
  });
}

export type Departure = {
  readonly email: string;
  readonly role: Role;
  readonly isOperator: boolean;
  readonly hasOtherAccount: boolean;
  readonly invited: boolean;
};

/** The people whom the end of an account would concern, and what decides about their sign-in. The oldest membership first. */
export async function listDepartures(db: Database, accountId: Uuid): Promise<Departure[]> {
  const rows = await db.query<DepartureRow>(departures, [accountId]);
  return rows.map(row => ({
    email: row.email,
    role: row.role,
    isOperator: row.is_operator,
    hasOtherAccount: row.has_other,
    invited: row.invited,
  }));
}

/** Remembers since when a person belongs to no account, if that is so. */
export async function noteNoAccount(tx: Database, userId: Uuid, at: Date): Promise<void> {
  await tx.query(noteLeft, [userId, at]);
}

const deleteInvitations = sql('delete-account-invitations', 'delete from invitations where account_id = $1');
const deleteMembers = sql(
  'delete-members',
  'delete from members where account_id = $1 returning user_id, invited',
);
const deleteUser = sql(
  'delete-user',
  `delete from auth_users u
    where u.id = $1 and not exists (select from members m where m.user_id = u.id)
      and not exists (select from operators o where o.user_id = u.id)`,
);
const noteLeft = sql(
  'note-no-account',
  `update auth_users u set no_account_at = $2
    where u.id = $1 and not exists (select from members m where m.user_id = u.id)`,
);
const departures = sql(
  'departures-from-account',
  `select u.email, m.role, m.invited, exists (select from operators o where o.user_id = m.user_id) as is_operator,
          exists (select from members x where x.user_id = m.user_id and x.account_id <> m.account_id) as has_other
     from members m join auth_users u on u.id = m.user_id
    where m.account_id = $1 order by m.created_at, m.user_id`,
);

type DepartureRow = {
  email: string;
  role: Role;
  invited: boolean;
  is_operator: boolean;
  has_other: boolean;
};
