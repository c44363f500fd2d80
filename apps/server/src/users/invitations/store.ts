import type { Role } from '@signpost/contract';
import { type StandingRow, standingColumns, standingJoin, toStanding } from '../../accounts/account.ts';
import type { Standing } from '../../kernel/caller.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import { hashToken } from '../recovery/email-tokens.ts';
import type { Invitation } from './invitation.ts';

/** The newest first. */
export async function listInvitations(db: Database, accountId: Uuid): Promise<Invitation[]> {
  return (await db.query<Row>(ofAccount, [accountId])).map(toInvitation);
}

/** Those to an address that have not expired, of accounts that are open. */
export async function listPending(db: Database, email: string): Promise<Invitation[]> {
  return (await db.query<Row>(pendingOfAddress, [email])).map(toInvitation);
}

export async function findInvitation(db: Database, accountId: Uuid, id: Uuid): Promise<Invitation | null> {
  const [row] = await db.query<Row>(byId, [accountId, id]);
  return row ? toInvitation(row) : null;
}

/** The invitation of a link; null if it was used, revoked or replaced, or has expired. */
export async function findByToken(db: Database, token: string): Promise<Invitation | null> {
  const [row] = await db.query<Row>(byToken, [hashToken(token)]);
  return row ? toInvitation(row) : null;
}

export async function findAccountOfToken(tx: Database, token: string): Promise<Uuid | null> {
  const [row] = await tx.query<{ account_id: Uuid }>(accountOfToken, [hashToken(token)]);
  return row?.account_id ?? null;
}

/** Deletes the invitation of a link and returns it: of several at once, one gets it. */
export async function takeByToken(tx: Database, token: string): Promise<Invitation | null> {
  const [row] = await tx.query<Row>(take, [hashToken(token)]);
  return row ? toInvitation(row) : null;
}

export async function deleteInvitation(tx: Database, id: Uuid): Promise<void> {
  await tx.query(remove, [id]);
}

export type NewInvitation = Pick<
  Invitation,
  'id' | 'accountId' | 'email' | 'role' | 'invitedBy' | 'mailed' | 'sentAt' | 'expiresAt'
> & { readonly token: string };

/** Replaces an earlier one to the same address, whose link ends. */
export async function saveInvitation(tx: Database, invitation: NewInvitation): Promise<Invitation> {
  const { id, accountId, email, role, invitedBy, token, mailed, sentAt, expiresAt } = invitation;
  const values = [id, accountId, email, role, invitedBy, hashToken(token), mailed, sentAt, expiresAt];
  await tx.query(upsert, values);
  return (await findInvitation(tx, accountId, id))!;
}

/** What decides whether an account has room for another person. */
export type Room = Standing & {
  /** The people that the plan includes; null: no limit. */
  readonly limit: number | null;
  readonly members: number;
  /** Pending invitations to other addresses. */
  readonly pending: number;
  /** Whether the person with this address belongs to the account. */
  readonly isMember: boolean;
  /** What the pending invitation to this address offers; null if there is none. */
  readonly offered: Role | null;
};

/** Of an account and an address, under the account's lock. */
export async function findRoom(tx: Database, accountId: Uuid, email: string): Promise<Room> {
  const [row] = await tx.query<RoomRow>(room, [accountId, email]);
  const { limit, members, pending, is_member: isMember, offered } = row!;
  return { ...toStanding(row!), limit, members, pending, isMember, offered };
}

type RoomRow = {
  limit: number | null;
  members: number;
  pending: number;
  is_member: boolean;
  offered: Role | null;
} & StandingRow;

type Row = {
  id: Uuid;
  account_id: Uuid;
  account_name: string;
  email: string;
  role: Role;
  invited_by: Uuid | null;
  inviter_email: string | null;
  inviter_role: Role | null;
  mailed: boolean;
  sent_at: Date;
  expires_at: Date;
  expired: boolean;
};

const toInvitation = (row: Row): Invitation => ({
  id: row.id,
  accountId: row.account_id,
  accountName: row.account_name,
  email: row.email,
  role: row.role,
  invitedBy: row.invited_by,
  inviterEmail: row.inviter_email,
  inviterRole: row.inviter_role,
  mailed: row.mailed,
  sentAt: row.sent_at,
  expiresAt: row.expires_at,
  expired: row.expired,
});

/** Of an invitation `i`. */
const columns = `i.id, i.account_id, a.name as account_name, i.email, i.role, i.invited_by, u.email as inviter_email,
          m.role as inviter_role, i.mailed, i.sent_at, i.expires_at, i.expires_at <= now() as expired`;
const joins = `join accounts a on a.id = i.account_id
     left join auth_users u on u.id = i.invited_by
     left join members m on m.account_id = i.account_id and m.user_id = i.invited_by`;

const ofAccount = sql(
  'invitations-of-account',
  `select ${columns} from invitations i ${joins} where i.account_id = $1 order by i.sent_at desc, i.id desc`,
);
const pendingOfAddress = sql(
  'pending-invitations',
  `select ${columns} from invitations i ${joins}
    where i.email = $1 and i.expires_at > now() and a.closed_at is null order by i.sent_at desc, i.id desc limit 100`,
);
const byId = sql(
  'find-invitation',
  `select ${columns} from invitations i ${joins} where i.account_id = $1 and i.id = $2`,
);
const byToken = sql(
  'invitation-by-token',
  `select ${columns} from invitations i ${joins}
    where i.hash = $1 and i.expires_at > now() and a.closed_at is null`,
);
const accountOfToken = sql('account-of-invitation', 'select account_id from invitations where hash = $1');
const take = sql(
  'take-invitation',
  `with i as (delete from invitations where hash = $1 and expires_at > now() returning *)
   select ${columns} from i ${joins}`,
);
const remove = sql('revoke-invitation', 'delete from invitations where id = $1');
const upsert = sql(
  'save-invitation',
  `insert into invitations (id, account_id, email, role, invited_by, hash, mailed, created_at, sent_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)
   on conflict (account_id, email) do update
     set id = excluded.id, role = excluded.role, invited_by = excluded.invited_by, hash = excluded.hash,
         mailed = excluded.mailed, sent_at = excluded.sent_at, expires_at = excluded.expires_at`,
);
const room = sql(
  'room-for-members',
  `select ${standingColumns}, p.members as "limit", invited.role as offered,
          (select count(*)::integer from members m where m.account_id = a.id) as members,
          (select count(*)::integer from invitations i
            where i.account_id = a.id and i.email <> $2 and i.expires_at > now()) as pending,
          exists (select from members m join auth_users u on u.id = m.user_id
                   where m.account_id = a.id and u.email = $2) as is_member
     from accounts a join plans p on p.name = a.plan ${standingJoin}
     left join invitations invited on invited.account_id = a.id and invited.email = $2 and invited.expires_at > now()
    where a.id = $1`,
);
