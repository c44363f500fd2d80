import type { Role } from '@signpost/contract';
import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';

/** A person as the others in the account see them. */
export type ListedMember = {
  readonly userId: Uuid;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly joinedAt: Date;
  /** Valid API keys that this person created. */
  readonly keys: number;
};

/** Serialises changes of who belongs to an account. Returns false if the account is closed. */
export async function lockAccount(tx: Database, accountId: Uuid): Promise<boolean> {
  return (await tx.query(lockOpenAccount, [accountId])).length > 0;
}

/** The oldest membership first. */
export async function listPeople(db: Database, accountId: Uuid): Promise<ListedMember[]> {
  const rows = await db.query<ListedRow>(listMembers, [accountId]);
  return rows.map(row => ({
    userId: row.user_id,
    name: row.name,
    email: row.email,
    role: row.role,
    joinedAt: row.created_at,
    keys: row.keys,
  }));
}

/** The people that the plan includes; null: no limit. */
export async function findMemberLimit(db: Database, accountId: Uuid): Promise<number | null> {
  const [row] = await db.query<{ members: number | null }>(memberLimit, [accountId]);
  return row?.members ?? null;
}

export async function listRoles(tx: Database, accountId: Uuid): Promise<ReadonlyMap<Uuid, Role>> {
  const rows = await tx.query<{ user_id: Uuid; role: Role }>(roles, [accountId]);
  return new Map(rows.map(row => [row.user_id, row.role]));
}

export async function setRole(tx: Database, accountId: Uuid, userId: Uuid, role: Role): Promise<void> {
  await tx.query(updateRole, [accountId, userId, role]);
}

/** Saved views go with the membership, and so do invitations that only this person vouched for. */
export async function deleteMember(tx: Database, accountId: Uuid, userId: Uuid): Promise<void> {
  await tx.query(removeMember, [accountId, userId]);
  await tx.query(removeInvitations, [accountId, userId]);
}

/** An invitation to somebody who has joined in another way. */
export async function deleteInvitation(tx: Database, accountId: Uuid, email: string): Promise<void> {
  await tx.query(removeInvitation, [accountId, email]);
}

const lockOpenAccount = sql(
  'lock-account-for-members',
  'select id from accounts where id = $1 and closed_at is null for no key update',
);
const listMembers = sql(
  'list-members',
  `select m.user_id, u.name, u.email, m.role, m.created_at,
          (select count(*)::integer from api_keys k
            where k.created_by = m.user_id and k.account_id = m.account_id and k.revoked_at is null) as keys
     from members m join auth_users u on u.id = m.user_id
    where m.account_id = $1 order by m.created_at, m.user_id`,
);
const memberLimit = sql(
  'member-limit',
  'select p.members from accounts a join plans p on p.name = a.plan where a.id = $1',
);
const roles = sql(
  'roles-of-members',
  'select user_id, role from members where account_id = $1 order by user_id for no key update',
);
const updateRole = sql(
  'set-member-role',
  'update members set role = $3 where account_id = $1 and user_id = $2',
);
const removeMember = sql('remove-member', 'delete from members where account_id = $1 and user_id = $2');
const removeInvitations = sql(
  'remove-invitations-of-member',
  'delete from invitations where account_id = $1 and invited_by = $2',
);
const removeInvitation = sql(
  'remove-invitation-to',
  'delete from invitations where account_id = $1 and email = $2',
);

type ListedRow = {
  user_id: Uuid;
  name: string;
  email: string;
  role: Role;
  created_at: Date;
  keys: number;
};
