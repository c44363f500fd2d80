import { accountOperations, type Permission } from '@signpost/contract';
import type { Routes } from '../http/routes.ts';
import type { Mode, Person } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import { parseId, type Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { openTerms } from './key-terms.ts';
import { presentKey, toTerms } from './present.ts';
import { type Accounts, notConfirmed } from './service.ts';

/** A key is created only by a person who knows the password, and who is still signed in when the key is stored. */
type People = {
  confirmPassword(person: Person, password: string, headers: Headers): Promise<void>;
  mayStill(tx: Database, person: Person, accountId: Uuid, permission: Permission): Promise<boolean>;
  notifyNewKey(person: Person, mode: Mode): void;
};

/** API keys in the account settings. */
export function addKeyRoutes(routes: Routes, accounts: Accounts, people: People): void {
  const own = { writesEvent: true };

  routes.add(accountOperations.listKeys, async ({ caller }) => ({
    data: (await accounts.keys(caller.accountId))
      .filter(key => key.revokedAt === null)
      .reverse()
      .map(presentKey),
  }));

  routes.add(
    accountOperations.createKey,
    async ({ caller, person, body, raw, writeEvent }) => {
      const { mode, name, current_password: password } = body;
      if (mode === 'live' && caller.heldSince) throw notConfirmed();
      const headers = new Headers({ cookie: raw.request.headers.cookie ?? '' });
      await people.confirmPassword(person, password, headers);
      const { stored, key } = await accounts.createKey(caller.accountId, mode, {
        name,
        createdBy: person.userId,
        terms: { ...openTerms, ...toTerms(body) },
        isStillAllowed: tx => people.mayStill(tx, person, caller.accountId, 'account:manage'),
        writeEvent,
      });
      people.notifyNewKey(person, mode);
      return { ...presentKey({ ...stored, creatorName: person.name }), key: key.text };
    },
    own,
  );

  routes.add(
    accountOperations.updateKey,
    async ({ caller, person, params, body, raw, writeEvent }) => {
      const { name, current_password: password } = body;
      const key = await accounts.updateKey(caller.accountId, parseId('key', params.id), {
        name,
        terms: toTerms(body),
        isStillAllowed: tx => people.mayStill(tx, person, caller.accountId, 'account:manage'),
        async confirm() {
          if (password === undefined) throw passwordMissing();
          const headers = new Headers({ cookie: raw.request.headers.cookie ?? '' });
          await people.confirmPassword(person, password, headers);
        },
        writeEvent,
      });
      return presentKey(key);
    },
    own,
  );

  routes.add(
    accountOperations.revokeKey,
    async ({ caller, params, writeEvent }) => {
      await accounts.revokeOwnKey(caller.accountId, parseId('key', params.id), writeEvent);
      return { revoked: true as const, id: params.id };
    },
    own,
  );
}

const passwordMissing = () =>
  new AppError(
    'invalid_request',
    'current_password is required, since the key may do more than before. Send the password of the user.',
    { param: 'current_password' },
  );
