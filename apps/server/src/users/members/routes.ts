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

  routes.add(accountOperations.createAccount, async ({ person, body, noteEvent }) => {
    const from = body.copy_designs_from;
    // An id that cannot exist is refused like one of other people.
    const copyDesignsFrom = from === undefined ? null : (parseId('acct', from) ?? (from as Uuid));
    const created = await ownAccounts.create(person, { name: body.name, copyDesignsFrom });
    noteEvent({ accountId: created.accountId });
    return presentOwnAccount(created);
  });

  routes.add(accountOperations.updateAccount, async ({ person, caller, body }) => {
    const { name, editors_delete: editorsDelete } = body;
    await people.updateAccount({ person, caller }, { name, editorsDelete });
    return { done: true as const };
  });

  routes.add(accountOperations.listMembers, async ({ person, caller }) => ({
    data: (await people.list(caller.accountId)).map(member => presentMember(member, person.userId)),
    limit: await people.limit(caller.accountId),
  }));

  routes.add(accountOperations.updateMember, async ({ person, caller, params, body }) => {
    const changed = await people.setRole({ person, caller }, parseId('user', params.id), body.role);
    return presentMember(changed, person.userId);
  });

  routes.add(accountOperations.removeMember, async ({ person, caller, params }) => {
    await people.remove({ person, caller }, parseId('user', params.id));
    return { removed: true as const, id: params.id };
  });

  routes.add(accountOperations.leaveAccount, async ({ person, caller }) => {
    await people.leave({ person, caller });
    return { done: true as const };
  });
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
