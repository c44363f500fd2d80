import type { Person } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { listMembers } from './members.ts';
import type { Notifications } from './notifications.ts';
import type { Client, Users } from './service.ts';
import type { Auth } from './sign-in/auth.ts';

/**
 * Closes an account. When it resolves, all access has ended and no code redirects; the rest is deleted in the background.
 * `isStillAllowed` is asked in the transaction that closes it.
 */
export type CloseAccount = (
  accountId: Uuid,
  isStillAllowed: (tx: Database) => Promise<boolean>,
) => Promise<void>;

type Parts = {
  readonly db: Database;
  readonly auth: Pick<Auth, 'signOut'>;
  readonly users: Pick<Users, 'confirmPassword' | 'isSignedIn'>;
  readonly notifications: Notifications;
  readonly closeAccount: CloseAccount;
};

export type AccountClosing = ReturnType<typeof createAccountClosing>;

/** An owner closes their own account. */
export function createAccountClosing({ db, auth, users, notifications, closeAccount }: Parts) {
  return {
    async close(
      person: Person,
      accountId: Uuid,
      given: { readonly confirmation: string; readonly password: string },
      client: Client,
    ): Promise<{ readonly cookies: readonly string[] }> {
      if (given.confirmation.trim().toLowerCase() !== person.email) throw otherWords();
      await users.confirmPassword(person, given.password, client.headers);
      const members = await listMembers(db, accountId);
      if (members.some(({ userId }) => userId !== person.userId)) throw shared();
      await closeAccount(accountId, tx => users.isSignedIn(tx, person));
      notifications.accountClosed({ id: person.userId, email: person.email });
      return await auth.signOut(client.headers);
    },
  };
}

const otherWords = () =>
  new AppError('invalid_request', 'This is not your e-mail address.', { param: 'confirmation' });

/** Closing deletes everybody in the account, so it takes somebody who can ask them. */
const shared = () =>
  new AppError(
    'forbidden',
    'Other people use this account too. Ask the operator of this server to close it for all of you.',
  );
