import { shellText } from '../../strings/shell.ts';

const words = shellText.confirmEmail;

type State = {
  /** The links of the account wait for the address. */
  readonly held: boolean;
  readonly verified: boolean;
  readonly sendsMail: boolean;
  /** A new link was asked for just now. */
  readonly sent: boolean;
  readonly email: string;
};

type Words = { readonly title: string; readonly text: string; readonly canSend: boolean };

/** What the banner about the e-mail address says. */
export function wordsFor({ held, verified, sendsMail, sent, email }: State): Words {
  const until = verified ? words.untilThen : words.untilYou;
  const waiting = held ? ` ${until}, ${words.waits}` : '';
  if (verified) return { title: words.waitingTitle, text: words.other + waiting, canSend: false };
  if (!sendsMail) return { title: words.title, text: words.noMail + waiting, canSend: false };
  const link = sent ? words.sent(email) : words.open(email);
  return { title: words.title, text: link + waiting, canSend: true };
}
