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
  const waiting = held ? [verified ? words.waitsForOther : words.waitsForYou] : [];
  const say = (sentence: string) => [sentence, ...waiting].join(' ');
  if (verified) return { title: words.waitingTitle, text: say(words.other), canSend: false };
  if (!sendsMail) return { title: words.title, text: say(words.noMail), canSend: false };
  return { title: words.title, text: say(sent ? words.sent(email) : words.open(email)), canSend: true };
}
