import { type ApiKeyItem, accountOperations } from '@signpost/contract';
import type { Routes } from '../http/routes.ts';
import { formatId, parseId } from '../kernel/ids.ts';
import type { StoredKey } from './account.ts';
import type { Accounts } from './service.ts';

/** API keys in the account settings. */
export function addKeyRoutes(routes: Routes, accounts: Accounts): void {
  routes.add(accountOperations.listKeys, async ({ caller }) => ({
    data: (await accounts.keys(caller.accountId))
      .filter(key => key.revokedAt === null)
      .reverse()
      .map(presentKey),
  }));

  routes.add(accountOperations.createKey, async ({ caller, body }) => {
    const { stored, key } = await accounts.createKey(caller.accountId, body.mode, body.name);
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
