import type { WriteEvent } from '../http/audited.ts';
import type { Person } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { listMembers } from './members/member.ts';
import type { Notifications } from './notifications.ts';
import type { Client, Users } from './service.ts';
import type { Auth } from './sign-in/auth.ts';

/**
 * Closes an account. When it resolves, all access has ended and no code redirects; the rest is deleted in the background.
 * `isStillAllowed` is asked in the transaction that closes it, and `finish` runs last in it.
 */
export type CloseAccount = (
  accountId: Uuid,
  isStillAllowed: (tx: Database) => Promise<boolean>,
  finish: (tx: Database) => Promise<void>,
) => Promise<void>;

type Parts = {
  readonly db: Database;
  readonly auth: Pick<Auth, 'signOut'>;
  readonly users: Pick<Users, 'confirmPassword' | 'isSignedIn' | 'mayStill'>;
  readonly notifications: Notifications;
  readonly closeAccount: CloseAccount;
};

export type AccountClosing = ReturnType<typeof createAccountClosing>;

/** An owner closes the account. Everybody who belongs to it gets a mail. */
export function createAccountClosing({ db, auth, users, notifications, closeAccount }: Parts) {
  return {
    async close(
      person: Person,
      accountId: Uuid,
      given: { readonly confirmation: string; readonly password: string; readonly writeEvent: WriteEvent },
      client: Client,
    ): Promise<{ readonly cookies: readonly string[] }> {
      if (given.confirmation.trim().toLowerCase() !== person.email) throw otherWords();
      await users.confirmPassword(person, given.password, client.headers);
      const members = await listMembers(db, accountId);
      await closeAccount(
        accountId,
        tx => users.mayStill(tx, person, accountId, 'account:own'),
        tx => given.writeEvent(tx),
      );
      for (const { userId, email } of members) notifications.accountClosed({ id: userId, email });
      // The sign-in of somebody who has another account, who was invited or who runs the installation goes on.
      if (await users.isSignedIn(db, person)) return { cookies: [] };
      return await auth.signOut(client.headers);
    },
  };
}

const otherWords = () =>
  new AppError('invalid_request', 'This is not your e-mail address.', { param: 'confirmation' });
