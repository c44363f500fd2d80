import type { Person } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Attempts } from '../limits/attempts.ts';
import type { Database } from '../platform/postgres.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import type { Engine } from './engine.ts';
import { rememberBrowser } from './known-browsers.ts';
import type { Notices } from './notices.ts';
import { endSessions, lockUser, setPassword } from './recovery-store.ts';
import type { From } from './service.ts';
import { changeLimit, confirmationLimit } from './sign-in-limits.ts';
import { endSessionByToken, findPassword, isPassword, livingSessions } from './store.ts';

type Parts = {
  readonly db: Database;
  readonly engine: Pick<Engine, 'signIn'>;
  readonly attempts: Attempts;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly notices: Notices;
  readonly hashPassword: (password: string) => Promise<string>;
  readonly verifyPassword: (given: { hash: string; password: string }) => Promise<boolean>;
  readonly signInTries: number;
  readonly publicUrl: string;
};

export type PasswordChange = ReturnType<typeof createPasswordChange>;

/** A new password by somebody who is signed in and knows the old one. */
export function createPasswordChange(parts: Parts) {
  const { db, engine, attempts, ids, clock, notices, hashPassword, verifyPassword } = parts;

  return {
    /**
     * Ends every session and gives this browser a new one. The slow work is done before the transaction. What it found
     * is looked at again under the user's lock: a reset that was faster has ended the session and the old password.
     */
    async change(person: Person, current: string, next: string, from: From) {
      refuseCommonPassword(next, person, 'new_password');
      if (isSame(current, next)) throw unchanged();
      const giveBack = await attempts.take(confirmationLimit(person.sessionId, parts.signInTries));
      const compared = await findPassword(db, person.userId);
      if (compared === null || !(await verifyPassword({ hash: compared, password: current })))
        throw wrongPassword();
      await giveBack();
      await attempts.take(changeLimit(person.userId));
      const hash = await hashPassword(next);
      await db.transaction(async tx => {
        await lockUser(tx, person.userId);
        const living = await livingSessions(tx, [person.sessionId], clock.now());
        if (!living.has(person.sessionId)) throw sessionEnded();
        if (!(await isPassword(tx, person.userId, compared))) throw wrongPassword();
        await setPassword(tx, { id: ids.next(), userId: person.userId, hash, at: clock.now() });
        await endSessions(tx, person.userId);
      });
      notices.newPassword({ id: person.userId, email: person.email });
      const { value, cookies } = await engine.signIn({ email: person.email, password: next }, from.headers);
      // A reset may have come between: then this session has to go as well.
      if (!(await isPassword(db, person.userId, hash))) {
        await endSessionByToken(db, value.token);
        throw sessionEnded();
      }
      const known = await rememberBrowser(db, person.userId, clock.now(), parts.publicUrl);
      return { cookies: [...cookies, known] };
    },
  };
}

/** As they are hashed: in one form of Unicode. */
const isSame = (one: string, other: string) => one.normalize('NFKC') === other.normalize('NFKC');

const unchanged = () =>
  new AppError('invalid_request', 'This is your current password. Choose a different one.', {
    param: 'new_password',
  });
const wrongPassword = () =>
  new AppError('invalid_request', 'The current password is wrong.', { param: 'current_password' });
const sessionEnded = () =>
  new AppError('unauthorized', 'Your session has ended. Sign in again.', { challenge: false });
