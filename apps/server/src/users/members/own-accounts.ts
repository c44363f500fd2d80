import type { Role } from '@signpost/contract';
import type { WriteEvent } from '../../http/audited.ts';
import type { Person } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Ids, Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { lockUser } from '../recovery/recovery-store.ts';
import { listMemberships, type Membership, openAccount } from './member.ts';

type Parts = {
  readonly db: Database;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly signUp: 'open' | 'closed';
  readonly defaultPlan: string;
  /** How many accounts a person may own. */
  readonly accountsPerUser: number;
  readonly requireVerifiedEmail: boolean;
  /** Copies the live designs of an account with their logos. */
  readonly copyDesigns: (tx: Database, from: Uuid, to: Uuid) => Promise<void>;
  /** Scans of live codes of each account in the last days; null while the store does not answer. */
  readonly countScans: (accounts: readonly Uuid[]) => Promise<ReadonlyMap<Uuid, number> | null>;
};

export type NewOwnAccount = {
  readonly name: string;
  readonly copyDesignsFrom: Uuid | null;
  readonly writeEvent: WriteEvent;
};

export type OwnAccounts = ReturnType<typeof createOwnAccounts>;

/** The accounts of a person: an agency has one for each client. */
export function createOwnAccounts(parts: Parts) {
  const { db, ids, clock, signUp, accountsPerUser, countScans, copyDesigns } = parts;

  /** Why a person may not create another account; null if they may. */
  function findRefusal(memberships: readonly Membership[], isOperator: boolean): AppError | null {
    const owned = memberships.filter(({ role }) => role === 'owner');
    if (signUp === 'closed' && owned.length === 0 && !isOperator)
      return memberships.length === 0 ? noAccount() : ownsNone();
    if (owned.some(({ suspension }) => suspension !== null)) return suspended();
    return owned.length >= accountsPerUser ? tooMany(accountsPerUser, owned.length) : null;
  }

  return {
    async list({ userId, isOperator }: Person) {
      const memberships = await listMemberships(db, userId);
      const scans = await countScans(memberships.map(({ accountId }) => accountId));
      return {
        accounts: memberships.map(membership => ({
          ...membership,
          scans: scans && (scans.get(membership.accountId) ?? 0),
        })),
        canCreate: findRefusal(memberships, isOperator) === null,
        limit: accountsPerUser,
      };
    },

    /** One at a time per person, so that the limit holds. */
    create: (person: Person, { name, copyDesignsFrom, writeEvent }: NewOwnAccount): Promise<Membership> =>
      db.transaction(async tx => {
        const { userId, isOperator } = person;
        const user = await lockUser(tx, userId);
        const memberships = await listMemberships(tx, userId);
        const refusal = user ? findRefusal(memberships, isOperator) : noAccount();
        if (refusal) throw refusal;
        if (copyDesignsFrom && !mayReadDesigns(memberships, copyDesignsFrom)) throw noSuchAccount();
        const id = ids.next();
        await openAccount(tx, {
          id,
          name,
          plan: parts.defaultPlan,
          ownerId: userId,
          createdAt: clock.now(),
          signedUp: signUp === 'open',
          held: parts.requireVerifiedEmail && !user!.emailVerified,
        });
        if (copyDesignsFrom) await copyDesigns(tx, copyDesignsFrom, id);
        await writeEvent(tx, { accountId: id });
        return (await listMemberships(tx, userId)).find(({ accountId }) => accountId === id)!;
      }),
  };
}

const mayReadDesigns = (memberships: readonly Membership[], id: Uuid) =>
  memberships.some(({ accountId, permissions }) => accountId === id && permissions.has('designs:read'));

const noSuchAccount = () =>
  new AppError('not_found', 'You belong to no account with this id.', { param: 'copy_designs_from' });

const noAccount = () =>
  new AppError('no_account', 'Sign-up is closed. Ask the operator of this server for an account.');

const ownsNone = () =>
  new AppError(
    'forbidden',
    `Sign-up is closed, so only people with the role ${'owner' satisfies Role} in another account can create one. Ask the operator of this server.`,
  );

const suspended = () =>
  new AppError(
    'forbidden',
    'An account of yours is suspended. Until it is released, you cannot create another one.',
  );

const tooMany = (limit: number, used: number) =>
  new AppError(
    'quota_exceeded',
    `You own ${used} accounts, and a person can own ${limit}. Close one, or hand one over.`,
    { limit, used },
  );
