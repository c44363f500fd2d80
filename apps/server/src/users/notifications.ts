import type { Mode } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Attempts } from '../limits/attempts.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { SendMail } from './mailer.ts';
import {
  changeEmailMail,
  closedMail,
  deletionsMail,
  destinationsMail,
  domainTargetMail,
  emailChangedMail,
  emailChangingMail,
  invitationMail,
  type Letter,
  newBrowserMail,
  newKeyMail,
  newPasswordMail,
  releasedMail,
  removedMail,
  resetMail,
  suspendedMail,
  verifyMail,
} from './mails.ts';
import type { MailOutcome, Outbox } from './outbox.ts';
import {
  createMailedToken,
  deleteEmailToken,
  maxUnusedLinks,
  type Purpose,
} from './recovery/email-tokens.ts';
import { findUserId, linkWith } from './recovery/reset-links.ts';
import { passwordChangesPerDay } from './sign-in/sign-in-limits.ts';
import { findLanguage, findLanguageByEmail } from './store.ts';

type Parts = {
  readonly db: Database;
  readonly clock: Clock;
  readonly attempts: Attempts;
  readonly outbox: Outbox;
  readonly send: SendMail | null;
  readonly publicUrl: string;
};

export type Recipient = { readonly id: Uuid; readonly email: string };

const hourMs = 60 * 60_000;
/**
 * An attacker with a stolen password must not be able to flood the owner's mailbox, nor to exhaust the links. So as many links are
 * allowed as can be requested and invalidated by all the password changes of a day, and a few more for the owner.
 */
const maxPerHour = { links: maxUnusedLinks * (passwordChangesPerDay + 1), notifications: 20 } as const;

export type Notifications = ReturnType<typeof createNotifications>;

/** Mails to users. Each is sent after the response; without SMTP nothing is done. */
export function createNotifications({ db, clock, attempts, outbox, send, publicUrl }: Parts) {
  /** Counts against the limit of this hour; returns a refund, or null if the limit is reached. */
  async function takeAttempt(what: string, subject: string, limit: number) {
    try {
      return await attempts.take({ what, subject, limit, windowMs: hourMs });
    } catch (error) {
      if (error instanceof AppError && error.code === 'rate_limit_exceeded') return null;
      throw error;
    }
  }

  /** Each kind has its own limit: an attacker cannot suppress one by causing many of another. */
  /** In the language that the person chose. One who is deleted by now is written to in English. */
  const writeTo = async (id: Uuid, { write }: Letter) => write((await findLanguage(db, id)) ?? 'en');

  function notify({ id, email }: Recipient, mail: Letter): void {
    if (!send) return;
    outbox.add(mail.kind, async () => {
      if (!(await takeAttempt('notification-to', `${id} ${mail.kind}`, maxPerHour.notifications)))
        return 'shed';
      await send(email, await writeTo(id, mail));
      return 'sent';
    });
  }

  /** Beyond the limit no link is sent: the mailbox already has the newest few, which work. */
  async function sendLink(
    { id, email }: Recipient,
    purpose: Purpose,
    compose: (token: string) => Letter,
  ): Promise<MailOutcome | null> {
    if (!send) return null;
    const refund = await takeAttempt(`${purpose}-link-to`, id, maxPerHour.links);
    if (!refund) return 'shed';
    const token = await createMailedToken(db, { userId: id, purpose, at: clock.now() });
    if (token === null) {
      await refund();
      return 'shed';
    }
    try {
      await send(email, await writeTo(id, compose(token)));
    } catch (error) {
      // The link did not arrive, and must not count against one that does.
      await deleteEmailToken(db, token);
      throw error;
    }
    return 'sent';
  }

  return {
    sendsMail: send !== null,

    /** Sends a link to the user with this e-mail address. */
    resetLink(email: string): void {
      if (!send) return;
      outbox.add('reset', async () => {
        const id = await findUserId(db, email);
        if (id === null) return null;
        return await sendLink({ id, email }, 'reset', token =>
          resetMail(linkWith(publicUrl, 'reset-password', token)),
        );
      });
    },

    /** Sends the link that confirms an address. */
    verification(to: Recipient): void {
      if (!send) return;
      outbox.add('verify', () =>
        sendLink(to, 'verify', token => verifyMail(linkWith(publicUrl, 'verify-email', token))),
      );
    },

    /** Sends the link that confirms a new address to that address: a few an hour, whoever asks for them. */
    newAddressLink(id: Uuid, email: string, token: string): void {
      if (!send) return;
      outbox.add('change-email', async () => {
        try {
          if (!(await takeAttempt('change-link-to', email, maxUnusedLinks))) {
            await deleteEmailToken(db, token);
            return 'shed';
          }
          await send(email, await writeTo(id, changeEmailMail(linkWith(publicUrl, 'confirm-email', token))));
        } catch (error) {
          await deleteEmailToken(db, token);
          throw error;
        }
        return 'sent';
      });
    },

    /**
     * Sends an invitation, in the language of the person who has the address, else of the one who invites; null: the operator. Its
     * limits are those of the account and the address, counted before.
     */
    invitation(
      email: string,
      { token, inviter }: { readonly token: string; readonly inviter: Recipient | null },
    ): void {
      if (!send) return;
      outbox.add('invitation', async () => {
        const mail = invitationMail(linkWith(publicUrl, 'invitation', token), inviter?.email ?? null);
        const language =
          (await findLanguageByEmail(db, email)) ?? (inviter ? await findLanguage(db, inviter.id) : null);
        await send(email, mail.write(language ?? 'en'));
        return 'sent';
      });
    },

    addressChanging: (to: Recipient) => notify(to, emailChangingMail(clock.now(), publicUrl)),
    addressChanged: (to: Recipient) => notify(to, emailChangedMail(clock.now())),
    accountClosed: (to: Recipient) => notify(to, closedMail(clock.now())),
    removedFromAccount: (to: Recipient) => notify(to, removedMail(clock.now(), publicUrl)),
    suspended: (to: Recipient, link: string | null, at: Date) =>
      notify(to, suspendedMail(link, at, publicUrl)),
    released: (to: Recipient, link: string | null, at: Date) => notify(to, releasedMail(link, at, publicUrl)),
    domainTargetCleared: (to: Recipient, host: string) =>
      notify(to, domainTargetMail(host, clock.now(), publicUrl)),
    massChange: (to: Recipient, kind: 'destination' | 'deletion', codes: number) =>
      notify(
        to,
        kind === 'deletion'
          ? deletionsMail(codes, clock.now(), publicUrl)
          : destinationsMail(codes, clock.now(), publicUrl),
      ),
    newKey: (to: Recipient, mode: Mode) => notify(to, newKeyMail(mode, clock.now(), publicUrl)),
    newPassword: (to: Recipient) => notify(to, newPasswordMail(clock.now(), publicUrl)),
    newBrowser: (to: Recipient, device: string) => notify(to, newBrowserMail(device, clock.now(), publicUrl)),
  };
}
