import type { Mode } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Attempts } from '../limits/attempts.ts';
import type { Database } from '../platform/postgres.ts';
import { createMailedToken, endEmailToken, maxLiveLinks, type Purpose } from './email-tokens.ts';
import type { SendMail } from './mailer.ts';
import {
  type Mail,
  newBrowserMail,
  newKeyMail,
  newPasswordMail,
  releasedMail,
  resetMail,
  suspendedMail,
  verifyMail,
} from './mails.ts';
import type { MailOutcome, Outbox } from './outbox.ts';
import { findUserId, linkWith } from './reset-links.ts';
import { passwordChangesPerDay } from './sign-in-limits.ts';

type Parts = {
  readonly db: Database;
  readonly clock: Clock;
  readonly attempts: Attempts;
  readonly outbox: Outbox;
  readonly send: SendMail | null;
  readonly publicUrl: string;
};

/** Who a mail goes to. */
export type Addressee = { readonly id: Uuid; readonly email: string };

const hourMs = 60 * 60_000;
/**
 * Whoever has a password that is not theirs must not be able to fill its owner's mailbox with it, nor to use up the links: as
 * many are allowed as can be asked for and ended by every change of the password that a day allows, and some that stay.
 */
const perHour = { links: maxLiveLinks * (passwordChangesPerDay + 1), notices: 20 } as const;

export type Notices = ReturnType<typeof createNotices>;

/** What people are told by mail. Each is sent later, outside of any request; without mail nothing is done at all. */
export function createNotices({ db, clock, attempts, outbox, send, publicUrl }: Parts) {
  /** Takes a place of this hour; null where there is none left. */
  async function takePlace(what: string, subject: string, limit: number) {
    try {
      return await attempts.take({ what, subject, limit, windowMs: hourMs });
    } catch (error) {
      if (error instanceof AppError && error.code === 'rate_limit_exceeded') return null;
      throw error;
    }
  }

  /** Each kind has its own limit: a thief cannot silence one by causing many of another. */
  function tell({ id, email }: Addressee, mail: Mail): void {
    if (!send) return;
    outbox.add(mail.kind, async () => {
      if (!(await takePlace('notice-to', `${id} ${mail.kind}`, perHour.notices))) return 'shed';
      await send(email, mail);
      return 'sent';
    });
  }

  /** Over the limit no link is sent: the newest few are in the mailbox, and work. */
  async function sendLink(
    { id, email }: Addressee,
    purpose: Purpose,
    write: (token: string) => Mail,
  ): Promise<MailOutcome | null> {
    if (!send) return null;
    const giveBack = await takePlace(`${purpose}-link-to`, id, perHour.links);
    if (!giveBack) return 'shed';
    const token = await createMailedToken(db, { userId: id, purpose, at: clock.now() });
    if (token === null) {
      await giveBack();
      return 'shed';
    }
    try {
      await send(email, write(token));
    } catch (error) {
      // Nobody has it, and it must not take the place of one that arrives.
      await endEmailToken(db, token);
      throw error;
    }
    return 'sent';
  }

  return {
    sendsMail: send !== null,

    /** A link to whoever has this e-mail. */
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

    /** The link that confirms an address. */
    verification(to: Addressee): void {
      if (!send) return;
      outbox.add('verify', () =>
        sendLink(to, 'verify', token => verifyMail(linkWith(publicUrl, 'verify-email', token))),
      );
    },

    suspended: (to: Addressee, link: string | null, at: Date) => tell(to, suspendedMail(link, at, publicUrl)),
    released: (to: Addressee, link: string | null, at: Date) => tell(to, releasedMail(link, at, publicUrl)),
    newKey: (to: Addressee, mode: Mode) => tell(to, newKeyMail(mode, clock.now(), publicUrl)),
    newPassword: (to: Addressee) => tell(to, newPasswordMail(clock.now(), publicUrl)),
    newBrowser: (to: Addressee, device: string) => tell(to, newBrowserMail(device, clock.now(), publicUrl)),
  };
}
