import type { Role } from '@signpost/contract';
import type { WriteEvent } from '../../http/audited.ts';
import type { Caller, Person } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { formatId, type Ids, type Uuid } from '../../kernel/ids.ts';
import type { AttemptLimit, Attempts } from '../../limits/attempts.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { lockMembership } from '../members/member.ts';
import { lockAccount } from '../members/store.ts';
import type { Notifications } from '../notifications.ts';
import { linkWith } from '../recovery/reset-links.ts';
import { createToken, type Invitation, isValidOffer, lifetimeMs, mayInvite } from './invitation.ts';
import * as store from './store.ts';

type Parts = {
  readonly db: Database;
  readonly attempts: Attempts;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly notifications: Pick<Notifications, 'sendsMail' | 'invitation'>;
  readonly publicUrl: string;
};

/** Who invites, and to which account; each change writes its event. */
type Acting = {
  readonly person: Pick<Person, 'userId' | 'email' | 'emailVerified'>;
  readonly caller: Pick<Caller, 'accountId'>;
  readonly writeEvent: WriteEvent;
};

/** `link` is null where the invitation was mailed. */
export type SentInvitation = Invitation & { readonly link: string | null };

type Offer = { readonly email: string; readonly role: Role };

const maxPending = 100;
/** Sent by an account, and to an address by all accounts. */
const maxPerDay = { account: 20, address: 3 } as const;
const dayMs = 24 * 60 * 60_000;
const perDay = (what: string, subject: string, limit: number): AttemptLimit => ({
  what,
  subject,
  limit,
  windowMs: dayMs,
});

export type Invitations = ReturnType<typeof createInvitations>;

/**
 * Invitations of an account, as those see them who invite. Changes run one at a time per account, and look at the role of the
 * acting person again under that lock. Nothing here asks whether anybody has the invited address: the response cannot reveal it.
 */
export function createInvitations({ db, attempts, ids, clock, notifications, publicUrl }: Parts) {
  const { sendsMail } = notifications;

  function change<Result>(
    { person, caller }: Acting,
    work: (tx: Database, own: Role) => Promise<Result>,
  ): Promise<Result> {
    return db.transaction(async tx => {
      const isOpen = await lockAccount(tx, caller.accountId);
      const own = await lockMembership(tx, person.userId, caller.accountId);
      if (!isOpen || own === null || !mayInvite(own, 'viewer')) throw lostPermission();
      return await work(tx, own);
    });
  }

  async function takeAttempt(accountId: Uuid, email: string) {
    try {
      return await attempts.take(
        perDay('invitations-of', accountId, maxPerDay.account),
        perDay('invitations-to', email, maxPerDay.address),
      );
    } catch (error) {
      if (error instanceof AppError && error.code === 'rate_limit_exceeded') throw tooManySent(error);
      throw error;
    }
  }

  /** Counts the mail before the transaction, which must not wait for Redis; a refusal does not count. */
  async function send(
    acting: Acting,
    email: string,
    prepare: (tx: Database) => Promise<{ readonly id: Uuid; readonly role: Role }>,
  ): Promise<SentInvitation> {
    const { person, caller } = acting;
    if (sendsMail && !person.emailVerified) throw notConfirmed();
    const refund = await takeAttempt(caller.accountId, email);
    const token = createToken();
    try {
      const invitation = await change(acting, async (tx, own) => {
        const { id, role } = await prepare(tx);
        requireRoom(await store.findRoom(tx, caller.accountId, email), own, role);
        const sentAt = clock.now();
        const saved = await store.saveInvitation(tx, {
          id,
          email,
          role,
          accountId: caller.accountId,
          invitedBy: person.userId,
          token,
          mailed: sendsMail,
          sentAt,
          expiresAt: new Date(sentAt.getTime() + lifetimeMs),
        });
        await acting.writeEvent(tx, { subjects: [formatId('inv', saved.id)] });
        return saved;
      });
      notifications.invitation(email, { token, inviter: { id: person.userId, email: person.email } });
      return { ...invitation, link: sendsMail ? null : linkWith(publicUrl, 'invitation', token) };
    } catch (error) {
      await refund();
      throw error;
    }
  }

  return {
    list: (accountId: Uuid) => store.listInvitations(db, accountId),

    /** To this person, and still worth opening. An address that nobody has confirmed has none. */
    async listPending({ email, emailVerified }: Person): Promise<Invitation[]> {
      if (!emailVerified) return [];
      const pending = await store.listPending(db, email);
      return pending.filter(isValidOffer);
    },

    create(acting: Acting, offer: Offer): Promise<SentInvitation> {
      const email = offer.email.toLowerCase();
      return send(acting, email, async () => ({ id: ids.next(), role: offer.role }));
    },

    /** By a key of the operator, to an account that it creates. The link is null where it was mailed. */
    async inviteOwner(tx: Database, accountId: Uuid, address: string): Promise<{ link: string | null }> {
      const email = address.toLowerCase();
      const token = createToken();
      const sentAt = clock.now();
      await store.saveInvitation(tx, {
        id: ids.next(),
        email,
        role: 'owner',
        accountId,
        invitedBy: null,
        token,
        mailed: sendsMail,
        sentAt,
        expiresAt: new Date(sentAt.getTime() + lifetimeMs),
      });
      await tx.afterCommit(async () => notifications.invitation(email, { token, inviter: null }));
      return { link: sendsMail ? null : linkWith(publicUrl, 'invitation', token) };
    },

    /** The person who sends it again vouches for it from now on. */
    async resend(acting: Acting, id: Uuid | null): Promise<SentInvitation> {
      const { email } = await find(db, acting, id);
      return await send(acting, email, tx => find(tx, acting, id));
    },

    async revoke(acting: Acting, id: Uuid | null): Promise<void> {
      await change(acting, async (tx, own) => {
        const invitation = await find(tx, acting, id);
        if (!mayInvite(own, invitation.role)) throw ownersOnly();
        await store.deleteInvitation(tx, invitation.id);
        await acting.writeEvent(tx);
      });
    },
  };
}

async function find(db: Database, { caller }: Acting, id: Uuid | null): Promise<Invitation> {
  if (id === null) return noSuchInvitation();
  return (await store.findInvitation(db, caller.accountId, id)) ?? noSuchInvitation();
}

function requireRoom(room: store.Room, own: Role, role: Role): void {
  // Nor may an admin put another invitation in the place of an owner's.
  if (!mayInvite(own, role) || !mayInvite(own, room.offered ?? 'viewer')) throw ownersOnly();
  if (room.suspension) throw suspended();
  if (room.heldSince) throw held();
  if (room.isMember) throw isMember();
  const used = room.members + room.pending;
  if (room.limit !== null && used >= room.limit) throw planFull(room.limit, used);
  if (room.pending >= maxPending) throw tooManyPending(room.pending);
}

function noSuchInvitation(): never {
  throw new AppError('not_found', 'No pending invitation of this account has this id.');
}

const lostPermission = () =>
  new AppError(
    'forbidden',
    'This needs the permission account:manage, which you have no longer. Ask an owner of the account.',
  );
const ownersOnly = () =>
  new AppError('forbidden', 'Only an owner may invite an owner, or change such an invitation. Ask one.');
const suspended = () => new AppError('forbidden', 'This account is suspended and can invite nobody.');
const held = () =>
  new AppError(
    'forbidden',
    'This account can invite nobody until its owner has confirmed their e-mail address. Open the link in the e-mail that was sent at sign-up.',
  );
const notConfirmed = () =>
  new AppError(
    'forbidden',
    'Confirm your e-mail address before you invite people: the invitation names it. Settings can send the link again.',
  );
const tooManySent = ({ details }: AppError) =>
  new AppError(
    'rate_limit_exceeded',
    `An account can send ${maxPerDay.account} invitations within 24 hours, and an address can get ${maxPerDay.address}. Try again later.`,
    details,
  );
const isMember = () =>
  new AppError('invalid_request', 'A person with this e-mail address already belongs to the account.', {
    param: 'email',
  });
const planFull = (limit: number, used: number) =>
  new AppError(
    'quota_exceeded',
    `The plan includes ${limit} people, and the account has ${used}, pending invitations included. Remove somebody, revoke an invitation, or change the plan.`,
    { limit, used },
  );
const tooManyPending = (used: number) =>
  new AppError(
    'quota_exceeded',
    `${used} invitations are pending, and an account can have ${maxPending}. Revoke one first.`,
    { limit: maxPending, used },
  );
