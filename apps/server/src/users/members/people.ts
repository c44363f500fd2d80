import type { Permission, Role } from '@signpost/contract';
import { rolePermissions } from '@signpost/contract';
import { type AccountChange, changeAccount } from '../../accounts/account.ts';
import type { WriteEvent } from '../../http/audited.ts';
import type { Caller, Person } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { saveMakers } from '../../moderation/evidence.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { Notifications } from '../notifications.ts';
import { lockUser } from '../recovery/recovery-store.ts';
import { noteNoAccount } from './remove-members.ts';
import * as store from './store.ts';

type Parts = {
  readonly db: Database;
  readonly clock: Clock;
  readonly notifications: Pick<Notifications, 'removedFromAccount'>;
};

/** Who acts, and for which account; each change writes its event. */
export type Acting = {
  readonly person: Pick<Person, 'userId'>;
  readonly caller: Pick<Caller, 'accountId'>;
  readonly writeEvent: WriteEvent;
};

export type People = ReturnType<typeof createPeople>;

/**
 * The people of an account. Changes run one at a time per account, and look at the role of the acting person again under that
 * lock: of two owners who demote each other, one stays.
 */
export function createPeople({ db, clock, notifications }: Parts) {
  function change<Result>(
    { person, caller }: Acting,
    permission: Permission,
    work: (tx: Database, roles: ReadonlyMap<Uuid, Role>, own: Role) => Promise<Result>,
    leaving: Uuid | null = null,
  ): Promise<Result> {
    return db.transaction(async tx => {
      // The person before the account, as a reset of the password does: in another order the two could wait for each other.
      if (leaving) await lockUser(tx, leaving);
      const isOpen = await store.lockAccount(tx, caller.accountId);
      const roles = await store.listRoles(tx, caller.accountId);
      const own = roles.get(person.userId);
      if (!isOpen || !own || !rolePermissions[own].has(permission)) throw lostPermission(permission);
      return await work(tx, roles, own);
    });
  }

  async function remove(tx: Database, accountId: Uuid, userId: Uuid): Promise<void> {
    await store.deleteMember(tx, accountId, userId);
    await noteNoAccount(tx, userId, clock.now());
  }

  return {
    list: (accountId: Uuid) => store.listPeople(db, accountId),
    limit: (accountId: Uuid) => store.findMemberLimit(db, accountId),

    async setRole(acting: Acting, userId: Uuid | null, role: Role): Promise<store.ListedMember> {
      const { accountId } = acting.caller;
      const id = userId ?? noSuchPerson();
      await change(acting, 'account:manage', async (tx, roles, own) => {
        const before = roles.get(id) ?? noSuchPerson();
        if (before === role) return;
        if (before === 'owner' || role === 'owner') requireOwner(own);
        if (before === 'owner') requireOtherOwner(roles);
        await store.setRole(tx, accountId, id, role);
        await acting.writeEvent(tx);
      });
      return (await store.listPeople(db, accountId)).find(person => person.userId === id) ?? noSuchPerson();
    },

    async remove(acting: Acting, userId: Uuid | null): Promise<void> {
      const { accountId } = acting.caller;
      const id = userId ?? noSuchPerson();
      await saveMakers(db, accountId);
      const leave = async (tx: Database, roles: ReadonlyMap<Uuid, Role>, own: Role) => {
        const role = roles.get(id) ?? noSuchPerson();
        if (role === 'owner') {
          requireOwner(own);
          requireOtherOwner(roles);
        }
        const people = await store.listPeople(tx, accountId);
        await remove(tx, accountId, id);
        await acting.writeEvent(tx);
        return people.find(person => person.userId === id)!;
      };
      const removed = await change(acting, 'account:manage', leave, id);
      if (id !== acting.person.userId) notifications.removedFromAccount({ id, email: removed.email });
    },

    async leave(acting: Acting): Promise<void> {
      await saveMakers(db, acting.caller.accountId);
      const { userId } = acting.person;
      const leave = async (tx: Database, roles: ReadonlyMap<Uuid, Role>, own: Role) => {
        if (own === 'owner') requireOtherOwner(roles);
        await remove(tx, acting.caller.accountId, userId);
        await acting.writeEvent(tx);
      };
      await change(acting, 'profile:manage', leave, userId);
    },

    updateAccount: (acting: Acting, given: AccountChange): Promise<void> =>
      change(acting, 'account:own', async tx => {
        await changeAccount(tx, acting.caller.accountId, given);
        await acting.writeEvent(tx);
      }),
  };
}

function requireOwner(own: Role): void {
  if (own !== 'owner')
    throw new AppError('forbidden', 'Only an owner may make, change or remove an owner. Ask one of them.');
}

function requireOtherOwner(roles: ReadonlyMap<Uuid, Role>): void {
  if ([...roles.values()].filter(role => role === 'owner').length > 1) return;
  throw new AppError(
    'last_owner',
    'An account needs an owner. Make another person an owner first, or close the account.',
  );
}

function noSuchPerson(): never {
  throw new AppError('not_found', 'Nobody in this account has this id.');
}

/** The role changed while the request was on its way. */
const lostPermission = (permission: Permission) =>
  new AppError(
    'forbidden',
    `This needs the permission ${permission}, which you have no longer. Ask an owner of the account.`,
  );
