import type { WriteEvent } from '../../http/audited.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Ids, Uuid } from '../../kernel/ids.ts';
import type { Attempts } from '../../limits/attempts.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { ReleaseHeldAccounts } from '../held-accounts.ts';
import type { Notifications, Recipient } from '../notifications.ts';
import { refuseCommonPassword } from '../sign-in/common-passwords.ts';
import { rememberBrowser } from '../sign-in/known-browsers.ts';
import { deleteEmailTokens, findEmailToken } from './email-tokens.ts';
import * as store from './recovery-store.ts';

/** Revokes keys of an account in a transaction: all, or those that a person created, or created before a time. */
type KeyRevoker = {
  revokeAll(
    tx: Database,
    accountId: Uuid,
    which: { readonly createdBefore: Date | null; readonly createdBy?: Uuid },
  ): Promise<number>;
};

/**
 * Disables, in a transaction, what another person may have created in an account before its owner confirmed the address. Returns how
 * many. Nothing is deleted, so that an owner who created it can enable it again.
 */
type RemainingAccess = {
  pauseCodes(tx: Database, accountId: Uuid, userId: Uuid): Promise<number>;
  disableWebhooks(tx: Database, accountId: Uuid, createdBy?: Uuid): Promise<number>;
};

type Parts = {
  readonly db: Database;
  readonly attempts: Attempts;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly notifications: Notifications;
  readonly keys: KeyRevoker;
  readonly remainingAccess: RemainingAccess;
  readonly releaseHeldAccounts: ReleaseHeldAccounts;
  readonly hashPassword: (password: string) => Promise<string>;
  readonly signUpsPerHour: number;
  readonly publicUrl: string;
};

export type Reset = {
  readonly userId: Uuid;
  readonly keysRevoked: number;
  readonly emailConfirmed: boolean;
  readonly codesPaused: number;
  readonly webhooksDisabled: number;
  readonly cookies: readonly string[];
};

const hourMs = 60 * 60_000;

export type Recovery = ReturnType<typeof createRecovery>;

/** Links in mails: for a new password, and to confirm an address. */
export function createRecovery(parts: Parts) {
  const {
    db,
    attempts,
    ids,
    clock,
    notifications,
    keys,
    remainingAccess,
    releaseHeldAccounts,
    hashPassword,
  } = parts;
  const { signUpsPerHour, publicUrl } = parts;
  const perHour = (what: string, address: string) => ({
    what,
    subject: address,
    limit: signUpsPerHour,
    windowMs: hourMs,
  });

  return {
    /** Returns before it has looked for the user, so that neither the response nor its time reveals whether one exists. */
    async requestReset(email: string, address: string): Promise<void> {
      await attempts.take(perHour('reset-from', address));
      notifications.resetLink(email.toLowerCase());
    },

    /**
     * Sets a new password through a link. Access by the old one ends in the same commit. A person who signed up with another
     * person's address may have left keys, webhooks and codes: those created before the address was confirmed are revoked,
     * disabled or paused. Codes are paused only in accounts that were held, so that no working link stops. Of an account with several
     * people, only what this person created is revoked or disabled.
     */
    async resetPassword(
      link: { readonly token: string; readonly password: string; readonly revokeKeys: boolean },
      address: string,
      writeEvent: WriteEvent,
    ): Promise<Reset> {
      await attempts.take(perHour('reset-with', address));
      const found = await findEmailToken(db, link.token, 'reset');
      const known = found && (await store.findUser(db, found.userId));
      if (!known) throw linkExpired();
      refuseCommonPassword(link.password, known);
      // Slow by design, so before the transaction.
      const hashed = await hashPassword(link.password);
      const { user, ...result } = await db.transaction(async tx => {
        const user = await store.lockUser(tx, known.id);
        // Checked again under the lock: of two concurrent resets, the second finds its link deleted.
        const token = await findEmailToken(tx, link.token, 'reset');
        if (!user || !token) throw linkExpired();
        const wasVerified = user.emailVerified;
        await store.setPassword(tx, { id: ids.next(), userId: user.id, hash: hashed, at: clock.now() });
        await deleteEmailTokens(tx, user.id);
        await store.endSessions(tx, user.id);
        const emailConfirmed = token.mailed && !wasVerified;
        let keysRevoked = 0;
        if (link.revokeKeys || token.mailed || notifications.sendsMail) {
          const createdBefore = link.revokeKeys ? null : user.verifiedAt;
          for (const id of await store.findSoleAccounts(tx, user.id))
            keysRevoked += await keys.revokeAll(tx, id, { createdBefore });
          for (const id of await store.findAccountsByKeyCreator(tx, user.id))
            keysRevoked += await keys.revokeAll(tx, id, { createdBefore, createdBy: user.id });
        }
        let [codesPaused, webhooksDisabled] = [0, 0];
        if (emailConfirmed) {
          await store.setVerified(tx, user.id, clock.now());
          for (const { id, held } of await store.lockSoleAccounts(tx, user.id)) {
            webhooksDisabled += await remainingAccess.disableWebhooks(tx, id);
            // Redirects learn of the paused codes before they learn that the account is released.
            if (held) codesPaused += await remainingAccess.pauseCodes(tx, id, user.id);
          }
          // An account of several people goes on: only what this person left there ends.
          for (const id of await store.findSharedAccounts(tx, user.id))
            webhooksDisabled += await remainingAccess.disableWebhooks(tx, id, user.id);
          await releaseHeldAccounts(tx, user.id);
        }
        await writeEvent(tx, { userId: user.id });
        return { user, keysRevoked, emailConfirmed, codesPaused, webhooksDisabled };
      });
      notifications.newPassword(user);
      // The holder of the link is the owner: attackers who guess passwords must not keep them from signing in now.
      const cookie = await rememberBrowser(db, user.id, clock.now(), publicUrl);
      return { ...result, userId: user.id, cookies: [cookie] };
    },

    /** Sends the link that confirms the address again. */
    async sendVerification(person: Recipient & { readonly emailVerified: boolean }): Promise<void> {
      if (person.emailVerified || !notifications.sendsMail) return;
      await attempts.take({ what: 'verification-of', subject: person.id, limit: 5, windowMs: hourMs });
      notifications.verification(person);
    },

    /**
     * Only for the signed-in user of that account: the owner of a mailbox who did not sign up must not confirm, with one click, an
     * account whose password another person knows.
     */
    async verifyEmail(
      token: string,
      person: Pick<Recipient, 'id'>,
      address: string,
      writeEvent: WriteEvent,
    ): Promise<void> {
      await attempts.take(perHour('verify-with', address));
      const found = await findEmailToken(db, token, 'verify');
      if (!found) throw linkExpired();
      if (found.userId !== person.id) throw otherAccount();
      await db.transaction(async tx => {
        const user = await store.lockUser(tx, found.userId);
        if (!user || !(await findEmailToken(tx, token, 'verify'))) throw linkExpired();
        await store.setVerified(tx, user.id, clock.now());
        await deleteEmailTokens(tx, user.id);
        await releaseHeldAccounts(tx, user.id);
        await writeEvent(tx);
      });
    },
  };
}

export const otherAccount = () =>
  new AppError(
    'forbidden',
    'This link is for a different account than the one you are signed in to. Sign in to the account that you created with this e-mail address, then open the link again. If you did not create one, ignore the e-mail.',
    { param: 'token' },
  );

export const linkExpired = () =>
  new AppError(
    'invalid_request',
    'This link was already used, has expired, or stopped working when the password changed. Get a new one.',
    { param: 'token' },
  );
