import type { WriteEvent } from '../../http/audited.ts';
import type { Person } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Ids, Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { addMember, listMemberships, lockMembership, type Membership } from '../members/member.ts';
import { lockAccount } from '../members/store.ts';
import { lockUser } from '../recovery/recovery-store.ts';
import { addUser } from '../sign-in/new-user.ts';
import type { User } from '../user.ts';
import { type Invitation, isValidOffer, maskEmail } from './invitation.ts';
import * as store from './store.ts';

type Parts = {
  readonly db: Database;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly hashPassword: (password: string) => Promise<string>;
};

type NewPerson = { readonly name: string; readonly email: string; readonly password: string };

export type Joining = ReturnType<typeof createJoining>;

/** Invitations, as those see them who have the link. */
export function createJoining({ db, ids, clock, hashPassword }: Parts) {
  async function read(token: string): Promise<Invitation> {
    const invitation = (await store.findByToken(db, token)) ?? invalid();
    requireInviter(invitation);
    return invitation;
  }

  /**
   * Uses the invitation up, under the lock of its account. Once for each invitation: a refusal afterwards rolls back, and leaves it
   * as it was.
   */
  async function use(tx: Database, token: string): Promise<Invitation> {
    const accountId = (await store.findAccountOfToken(tx, token)) ?? invalid();
    if (!(await lockAccount(tx, accountId))) invalid();
    return (await store.takeByToken(tx, token)) ?? invalid();
  }

  /** What held when the invitation was sent must still hold. */
  async function join(tx: Database, invitation: Invitation, userId: Uuid): Promise<void> {
    const { accountId, role, invitedBy } = invitation;
    // The role under lock: a demotion waits for this, or was before it.
    const inviterRole = invitedBy ? await lockMembership(tx, invitedBy, accountId) : null;
    requireInviter({ role, invitedBy, inviterRole });
    const { suspension, heldSince, limit, members } = await store.findRoom(tx, accountId, invitation.email);
    if (suspension || heldSince) throw closedForNow();
    if (limit !== null && members >= limit) throw planFull(limit, members);
    await addMember(tx, { userId, accountId, role, invited: true, at: clock.now() });
  }

  return {
    read,

    /** A person who belongs to the account already stays what they are. */
    accept: ({ userId }: Person, token: string, writeEvent: WriteEvent): Promise<Membership> =>
      db.transaction(async tx => {
        // The person before the account, as everywhere.
        const user = await lockUser(tx, userId);
        const invitation = await use(tx, token);
        if (user?.email !== invitation.email) throw otherAddress(invitation);
        if (invitation.mailed && !user.emailVerified) throw notConfirmed();
        if ((await lockMembership(tx, userId, invitation.accountId)) === null)
          await join(tx, invitation, userId);
        await writeEvent(tx, { accountId: invitation.accountId });
        const memberships = await listMemberships(tx, userId);
        return memberships.find(({ accountId }) => accountId === invitation.accountId)!;
      }),

    /**
     * Creates the invited person with a password and the membership, and with no account of their own. The address counts as
     * confirmed if the link was mailed there: without mail, the person who invited has seen the link.
     */
    async createUser(
      { name, password, ...form }: NewPerson,
      token: string,
      writeEvent: WriteEvent,
    ): Promise<User> {
      const email = form.email.toLowerCase();
      const invitation = await read(token);
      if (invitation.email !== email) throw otherAddress(invitation);
      // Slow by design, so before the transaction.
      const hash = await hashPassword(password);
      const id = ids.next();
      return await db.transaction(async tx => {
        const used = await use(tx, token);
        const user = { id, name, email, emailVerified: used.mailed };
        if (!(await addUser(tx, { ...user, at: clock.now() }, { id: ids.next(), hash })))
          throw signInInstead();
        await join(tx, used, id);
        await writeEvent(tx, { userId: id });
        return { ...user, isOperator: false };
      });
    },
  };
}

/** The same for every reason: the link may be in other hands by now. */
function invalid(): never {
  throw new AppError(
    'invalid_request',
    'This invitation was already used, revoked or replaced, or has expired. Ask for a new one.',
    { param: 'token' },
  );
}

/** Refuses the invitation of a person who could not send it any more. */
function requireInviter(invitation: Pick<Invitation, 'invitedBy' | 'inviterRole' | 'role'>): void {
  if (isValidOffer(invitation)) return;
  throw new AppError(
    'forbidden',
    'The person who invited you may no longer do so. Ask somebody else in the account for a new invitation.',
    { param: 'token' },
  );
}

const otherAddress = ({ email }: Invitation) =>
  new AppError(
    'forbidden',
    `This invitation is for ${maskEmail(email)}. Sign in or sign up with that e-mail address, or ask for an invitation to yours.`,
    { param: 'token' },
  );
const notConfirmed = () =>
  new AppError(
    'forbidden',
    'Confirm your e-mail address first, then open the link of the invitation again. Settings can send the link that confirms it.',
    { param: 'token' },
  );
/** The holder of the link reads mail at the address, or was given the link by somebody who could not tell. */
const signInInstead = () =>
  new AppError(
    'invalid_request',
    'You already have a sign-in with this e-mail address. Sign in, then open the link of the invitation again.',
    { param: 'email' },
  );
const closedForNow = () =>
  new AppError('forbidden', 'Nobody can join this account at the moment. Ask the person who invited you.', {
    param: 'token',
  });
const planFull = (limit: number, used: number) =>
  new AppError(
    'quota_exceeded',
    'The account has as many people as its plan includes. Ask the person who invited you.',
    { limit, used },
  );
