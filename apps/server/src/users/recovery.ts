import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import type { Attempts } from '../limits/attempts.ts';
import type { Database } from '../platform/postgres.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import { endEmailTokens, findEmailToken } from './email-tokens.ts';
import { rememberBrowser } from './known-browsers.ts';
import type { Addressee, Notices } from './notices.ts';
import * as store from './recovery-store.ts';
import type { Release } from './release.ts';

/** Revokes the keys of an account in a transaction, all or those made before a time; then none of them works any more. */
export type KeyRevoker = {
  revokeAll(tx: Database, accountId: Uuid, madeBefore?: Date | null): Promise<number>;
};

/**
 * Takes out of use, in a transaction, what somebody may have left in an account before its owner came: how many. Nothing is
 * deleted, so that an owner who made it all can have it back.
 */
export type LeftBehind = {
  pauseCodes(tx: Database, accountId: Uuid, userId: Uuid): Promise<number>;
  disableWebhooks(tx: Database, accountId: Uuid): Promise<number>;
};

type Parts = {
  readonly db: Database;
  readonly attempts: Attempts;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly notices: Notices;
  readonly keys: KeyRevoker;
  readonly leftBehind: LeftBehind;
  readonly release: Release;
  readonly hashPassword: (password: string) => Promise<string>;
  readonly signUpsPerHour: number;
  readonly publicUrl: string;
};

export type Reset = {
  readonly keysRevoked: number;
  readonly emailConfirmed: boolean;
  readonly codesPaused: number;
  readonly webhooksDisabled: number;
  readonly cookies: readonly string[];
};

const hourMs = 60 * 60_000;

export type Recovery = ReturnType<typeof createRecovery>;

/** Links in mails: how somebody gets back in, and how they show that an address is theirs. */
export function createRecovery(parts: Parts) {
  const { db, attempts, ids, clock, notices, keys, leftBehind, release, hashPassword } = parts;
  const { signUpsPerHour, publicUrl } = parts;
  const perHour = (what: string, address: string) => ({
    what,
    subject: address,
    limit: signUpsPerHour,
    windowMs: hourMs,
  });

  return {
    /** Answers before it has looked for anybody, so that neither its words nor its time tell who is known. */
    async requestReset(email: string, address: string): Promise<void> {
      await attempts.take(perHour('reset-from', address));
      notices.resetLink(email.toLowerCase());
    },

    /**
     * A new password by a link. Everything that the old one opened ends in the same commit. Who signed up with an address
     * that is not theirs may have left keys, webhooks and codes: whatever was made before the address was confirmed is
     * revoked, disabled or paused. Codes only where they were held, so that no link that works today stops.
     */
    async resetPassword(
      link: { readonly token: string; readonly password: string; readonly revokeKeys: boolean },
      address: string,
    ): Promise<Reset> {
      await attempts.take(perHour('reset-with', address));
      const found = await findEmailToken(db, link.token, 'reset');
      const about = found && (await store.findUser(db, found.userId));
      if (!about) throw linkEnded();
      refuseCommonPassword(link.password, about);
      // Slow by design, so before the transaction.
      const hashed = await hashPassword(link.password);
      const { user, ...done } = await db.transaction(async tx => {
        const user = await store.lockUser(tx, about.id);
        // Under the lock: of two who come with links of one person at once, the second finds that hers has ended.
        const token = await findEmailToken(tx, link.token, 'reset');
        if (!user || !token) throw linkEnded();
        const wasProven = user.emailVerified;
        await store.setPassword(tx, { id: ids.next(), userId: user.id, hash: hashed, at: clock.now() });
        await endEmailTokens(tx, user.id);
        await store.endSessions(tx, user.id);
        const emailConfirmed = token.mailed && !wasProven;
        let keysRevoked = 0;
        if (link.revokeKeys || token.mailed || notices.sendsMail) {
          const madeBefore = link.revokeKeys ? null : user.verifiedAt;
          for (const id of await store.ownAccounts(tx, user.id))
            keysRevoked += await keys.revokeAll(tx, id, madeBefore);
        }
        let [codesPaused, webhooksDisabled] = [0, 0];
        if (emailConfirmed) {
          await store.setVerified(tx, user.id, clock.now());
          for (const { id, held } of await store.lockOwnAccounts(tx, user.id)) {
            webhooksDisabled += await leftBehind.disableWebhooks(tx, id);
            // Redirects hear of the paused codes before they hear that nothing is held any more.
            if (held) codesPaused += await leftBehind.pauseCodes(tx, id, user.id);
          }
          await release(tx, user.id);
        }
        return { user, keysRevoked, emailConfirmed, codesPaused, webhooksDisabled };
      });
      notices.newPassword(user);
      // Whoever came by the link is the owner: strangers who guess must not keep them from signing in now.
      const cookie = await rememberBrowser(db, user.id, clock.now(), publicUrl);
      return { ...done, cookies: [cookie] };
    },

    /** Sends the link that confirms the address once more. */
    async sendVerification(person: Addressee & { readonly emailVerified: boolean }): Promise<void> {
      if (person.emailVerified || !notices.sendsMail) return;
      await attempts.take({ what: 'verification-of', subject: person.id, limit: 5, windowMs: hourMs });
      notices.verification(person);
    },

    /**
     * Only for who is signed in to the very account: whoever owns the mailbox and did not sign up must not confirm, by one
     * click, an account whose password somebody else knows.
     */
    async verifyEmail(token: string, person: Pick<Addressee, 'id'>, address: string): Promise<void> {
      await attempts.take(perHour('verify-with', address));
      const found = await findEmailToken(db, token, 'verify');
      if (!found) throw linkEnded();
      if (found.userId !== person.id) throw notTheirs();
      await db.transaction(async tx => {
        const user = await store.lockUser(tx, found.userId);
        if (!user || !(await findEmailToken(tx, token, 'verify'))) throw linkEnded();
        await store.setVerified(tx, user.id, clock.now());
        await endEmailTokens(tx, user.id);
        await release(tx, user.id);
      });
    },
  };
}

const notTheirs = () =>
  new AppError(
    'forbidden',
    'This link is for another account than the one you are signed in to. Sign in to the account that you created with this e-mail address, then open the link again. If you created none, ignore the mail.',
    { param: 'token' },
  );

const linkEnded = () =>
  new AppError(
    'invalid_request',
    'This link has been used, has run out, or was replaced by a change of the password. Ask for a new one.',
    { param: 'token' },
  );
