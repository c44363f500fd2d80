import {
  accountOperations,
  type Member as WireMember,
  type OwnAccount as WireOwnAccount,
} from '@signpost/contract';
import type { Routes } from '../../http/routes.ts';
import { formatId, parseId, type Uuid } from '../../kernel/ids.ts';
import type { Membership } from './member.ts';
import type { OwnAccounts } from './own-accounts.ts';
import type { People } from './people.ts';
import type { ListedMember } from './store.ts';

type Parts = { readonly people: People; readonly ownAccounts: OwnAccounts };

/** The people of an account, and the accounts of a person. */
export function addMemberRoutes(routes: Routes, { people, ownAccounts }: Parts): void {
  routes.add(accountOperations.listOwnAccounts, async ({ person }) => {
    const { accounts, canCreate, limit } = await ownAccounts.list(person);
    return {
      data: accounts.map(account => ({ ...presentOwnAccount(account), scans: account.scans })),
      can_create: canCreate,
      limit,
    };
  });

  const own = { writesEvent: true };

  routes.add(
    accountOperations.createAccount,
    async ({ person, body, writeEvent }) => {
      const from = body.copy_designs_from;
      // An id that cannot exist is refused like one of other people.
      const copyDesignsFrom = from === undefined ? null : (parseId('acct', from) ?? (from as Uuid));
      const created = await ownAccounts.create(person, { name: body.name, copyDesignsFrom, writeEvent });
      return presentOwnAccount(created);
    },
    own,
  );

  routes.add(
    accountOperations.updateAccount,
    async ({ body, ...acting }) => {
      const { name, editors_delete: editorsDelete } = body;
      await people.updateAccount(acting, { name, editorsDelete });
      return { done: true as const };
    },
    own,
  );

  routes.add(accountOperations.listMembers, async ({ person, caller }) => ({
    data: (await people.list(caller.accountId)).map(member => presentMember(member, person.userId)),
    limit: await people.limit(caller.accountId),
  }));

  routes.add(
    accountOperations.updateMember,
    async ({ params, body, ...acting }) => {
      const changed = await people.setRole(acting, parseId('user', params.id), body.role);
      return presentMember(changed, acting.person.userId);
    },
    own,
  );

  routes.add(
    accountOperations.removeMember,
    async ({ params, ...acting }) => {
      await people.remove(acting, parseId('user', params.id));
      return { removed: true as const, id: params.id };
    },
    own,
  );

  routes.add(
    accountOperations.leaveAccount,
    async acting => {
      await people.leave(acting);
      return { done: true as const };
    },
    own,
  );
}

export const presentOwnAccount = ({ accountId, name, role, plan }: Membership): WireOwnAccount => ({
  id: formatId('acct', accountId),
  name,
  role,
  plan: plan.name,
});

const presentMember = (member: ListedMember, ownId: Uuid): WireMember => ({
  id: formatId('user', member.userId),
  name: member.name,
  email: member.email,
  role: member.role,
  is_you: member.userId === ownId,
  joined_at: member.joinedAt.toISOString(),
  keys: member.keys,
});
