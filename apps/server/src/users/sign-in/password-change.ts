import type { WriteEvent } from '../../http/audited.ts';
import type { Person } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { Attempts } from '../../limits/attempts.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { Notifications } from '../notifications.ts';
import { endSessions, lockUser, setPassword } from '../recovery/recovery-store.ts';
import type { Client } from '../service.ts';
import { endSessionByToken, findActiveSessions, findPassword, isPassword } from '../store.ts';
import type { Auth } from './auth.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import { rememberBrowser } from './known-browsers.ts';
import { changeLimit, confirmationLimit } from './sign-in-limits.ts';

type Parts = {
  readonly db: Database;
  readonly auth: Pick<Auth, 'signIn'>;
  readonly attempts: Attempts;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly notifications: Notifications;
  readonly hashPassword: (password: string) => Promise<string>;
  readonly verifyPassword: (given: { hash: string; password: string }) => Promise<boolean>;
  readonly signInAttempts: number;
  readonly publicUrl: string;
};

type Change = { readonly current: string; readonly next: string; readonly writeEvent: WriteEvent };

export type PasswordChange = ReturnType<typeof createPasswordChange>;

/** Sets a new password for a signed-in user who knows the old one. */
export function createPasswordChange(parts: Parts) {
  const { db, auth, attempts, ids, clock, notifications, hashPassword, verifyPassword } = parts;

  return {
    /**
     * Ends every session and gives this browser a new one. The slow hashing is done before the transaction. Its inputs are
     * checked again under the user's lock: a concurrent reset may have ended the session and changed the password.
     */
    async change(person: Person, { current, next, writeEvent }: Change, client: Client) {
      refuseCommonPassword(next, person, 'new_password');
      if (isSame(current, next)) throw unchanged();
      const refund = await attempts.take(confirmationLimit(person.sessionId, parts.signInAttempts));
      const storedHash = await findPassword(db, person.userId);
      if (storedHash === null || !(await verifyPassword({ hash: storedHash, password: current })))
        throw wrongPassword();
      await refund();
      await attempts.take(changeLimit(person.userId));
      const hash = await hashPassword(next);
      await db.transaction(async tx => {
        await lockUser(tx, person.userId);
        const active = await findActiveSessions(tx, [person.sessionId], clock.now());
        if (!active.has(person.sessionId)) throw sessionEnded();
        if (!(await isPassword(tx, person.userId, storedHash))) throw wrongPassword();
        await setPassword(tx, { id: ids.next(), userId: person.userId, hash, at: clock.now() });
        await endSessions(tx, person.userId);
        await writeEvent(tx);
      });
      notifications.newPassword({ id: person.userId, email: person.email });
      const { value, cookies } = await auth.signIn({ email: person.email, password: next }, client.headers);
      // A reset may have happened meanwhile: then this session must end as well.
      if (!(await isPassword(db, person.userId, hash))) {
        await endSessionByToken(db, value.token);
        throw sessionEnded();
      }
      const cookie = await rememberBrowser(db, person.userId, clock.now(), parts.publicUrl);
      return { cookies: [...cookies, cookie] };
    },
  };
}

/** Compares in the Unicode form in which passwords are hashed. */
const isSame = (a: string, b: string) => a.normalize('NFKC') === b.normalize('NFKC');

const unchanged = () =>
  new AppError('invalid_request', 'This is your current password. Choose a different one.', {
    param: 'new_password',
  });
const wrongPassword = () =>
  new AppError('invalid_request', 'The current password is wrong.', { param: 'current_password' });
const sessionEnded = () =>
  new AppError('unauthorized', 'Your session has ended. Sign in again.', { challenge: false });
