import { randomBytes } from 'node:crypto';
import type { WriteEvent } from '../../http/audited.ts';
import type { Person } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Attempts } from '../../limits/attempts.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { ReleaseHeldAccounts } from '../held-accounts.ts';
import type { Notifications } from '../notifications.ts';
import type { Client, Users } from '../service.ts';
import { endOtherSessions, findActiveSessions } from '../store.ts';
import * as changes from './email-change-store.ts';
import { deleteEmailTokens } from './email-tokens.ts';
import { linkExpired, otherAccount } from './recovery.ts';
import { lockUser } from './recovery-store.ts';

type Parts = {
  readonly db: Database;
  readonly users: Pick<Users, 'confirmPassword'>;
  readonly attempts: Attempts;
  readonly clock: Clock;
  readonly notifications: Notifications;
  readonly releaseHeldAccounts: ReleaseHeldAccounts;
  readonly signUpsPerHour: number;
};

const hourMs = 60 * 60_000;
/** Of one person. Each request sends two mails. */
const changesPerHour = 5;

export type EmailChanges = ReturnType<typeof createEmailChanges>;

/**
 * Changes the address by which a person signs in. The old one stays in use until a link in the mailbox of the new one was opened
 * by the same person. Whether another account has the new address shows only there, to who can read its mail.
 */
export function createEmailChanges(parts: Parts) {
  const { db, users, attempts, clock, notifications, releaseHeldAccounts, signUpsPerHour } = parts;

  /** Under the user's lock: a password that was reset meanwhile has ended the session. */
  async function requireSession(tx: Database, { userId, sessionId }: Person): Promise<void> {
    const user = await lockUser(tx, userId);
    const active = await findActiveSessions(tx, [sessionId], clock.now());
    if (!user || !active.has(sessionId)) throw sessionEnded();
  }

  return {
    pending: (person: Person) => changes.findPendingEmail(db, person.userId),

    async request(
      person: Person,
      given: { readonly email: string; readonly password: string },
      client: Client,
      writeEvent: WriteEvent,
    ) {
      if (!notifications.sendsMail) throw noMail();
      const email = given.email.toLowerCase();
      if (email === person.email) throw unchanged();
      await users.confirmPassword(person, given.password, client.headers);
      await attempts.take({
        what: 'email-change-of',
        subject: person.userId,
        limit: changesPerHour,
        windowMs: hourMs,
      });
      const token = randomBytes(20).toString('base64url');
      const pending = await db.transaction(async tx => {
        await requireSession(tx, person);
        const change = { token, userId: person.userId, email, at: clock.now() };
        const replaced = await changes.replaceEmailChange(tx, change);
        await writeEvent(tx);
        return replaced;
      });
      notifications.newAddressLink(person.userId, email, token);
      notifications.addressChanging({ id: person.userId, email: person.email });
      return pending;
    },

    cancel: (person: Person, writeEvent: WriteEvent): Promise<void> =>
      db.transaction(async tx => {
        await changes.deleteEmailChanges(tx, person.userId);
        await writeEvent(tx);
      }),

    /** Ends every other session and link of the person: one of them may be somebody else's who can read the old mailbox. */
    async confirm(token: string, person: Person, client: Client, writeEvent: WriteEvent): Promise<void> {
      await attempts.take({
        what: 'verify-with',
        subject: client.address,
        limit: signUpsPerHour,
        windowMs: hourMs,
      });
      const found = await changes.findEmailChange(db, token);
      if (!found) throw linkExpired();
      if (found.userId !== person.userId) throw otherAccount();
      await db.transaction(async tx => {
        await requireSession(tx, person);
        if (!(await changes.findEmailChange(tx, token))) throw linkExpired();
        await changes.setEmail(tx, person.userId, found.email, clock.now());
        await deleteEmailTokens(tx, person.userId);
        await endOtherSessions(tx, person.userId, person.sessionId);
        await releaseHeldAccounts(tx, person.userId);
        await writeEvent(tx);
      });
      notifications.addressChanged({ id: person.userId, email: person.email });
    },
  };
}

const noMail = () =>
  new AppError(
    'forbidden',
    'This server sends no mail, so a new e-mail address cannot be confirmed. Ask the operator to set up mail.',
  );
const unchanged = () =>
  new AppError('invalid_request', 'This is already your e-mail address.', { param: 'email' });
const sessionEnded = () =>
  new AppError('unauthorized', 'Your session has ended. Sign in again.', { challenge: false });
