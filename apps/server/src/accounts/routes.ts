import { type ApiKeyItem, accountOperations, type Permission } from '@signpost/contract';
import type { Routes } from '../http/routes.ts';
import type { Mode, Person } from '../kernel/caller.ts';
import { formatId, parseId, type Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { StoredKey } from './account.ts';
import { type Accounts, notConfirmed } from './service.ts';

/** A key is created only by a person who knows the password, and who is still signed in when the key is stored. */
type People = {
  confirmPassword(person: Person, password: string, headers: Headers): Promise<void>;
  mayStill(tx: Database, person: Person, accountId: Uuid, permission: Permission): Promise<boolean>;
  notifyNewKey(person: Person, mode: Mode): void;
};

/** API keys in the account settings. */
export function addKeyRoutes(routes: Routes, accounts: Accounts, people: People): void {
  routes.add(accountOperations.listKeys, async ({ caller }) => ({
    data: (await accounts.keys(caller.accountId))
      .filter(key => key.revokedAt === null)
      .reverse()
      .map(presentKey),
  }));

  routes.add(accountOperations.createKey, async ({ caller, person, body, raw }) => {
    const { mode, name, current_password: password } = body;
    if (mode === 'live' && caller.heldSince) throw notConfirmed();
    const headers = new Headers({ cookie: raw.request.headers.cookie ?? '' });
    await people.confirmPassword(person, password, headers);
    const { stored, key } = await accounts.createKey(caller.accountId, mode, {
      name,
      createdBy: person.userId,
      isStillAllowed: tx => people.mayStill(tx, person, caller.accountId, 'account:manage'),
    });
    people.notifyNewKey(person, mode);
    return { ...presentKey(stored), key: key.text };
  });

  routes.add(accountOperations.revokeKey, async ({ caller, params }) => {
    await accounts.revokeOwnKey(caller.accountId, parseId('key', params.id));
    return { revoked: true as const, id: params.id };
  });
}

const presentKey = ({ id, name, mode, hint, createdAt, lastUsedAt }: StoredKey): ApiKeyItem => ({
  id: formatId('key', id),
  name,
  mode,
  prefix: `sk_${mode}_`,
  last_four: hint,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
});
