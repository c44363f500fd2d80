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
  const title = 'Confirm your e-mail';
  const waits =
    'your short links show a page saying the code is not confirmed yet, and you can make test keys only.';
  const waiting = held ? ` ${verified ? 'Until then' : 'Until you confirm it'}, ${waits}` : '';
  if (verified)
    return {
      title: 'Waiting for a confirmed e-mail',
      text: `The person who made this account has to confirm their e-mail.${waiting}`,
      canSend: false,
    };
  if (!sendsMail)
    return {
      title,
      text: `This server sends no mail: ask its operator to help you.${waiting}`,
      canSend: false,
    };
  const link = sent
    ? `A new link is on its way to ${email}. It works for a day.`
    : `We sent a link to ${email}. Open it to show that the address is yours.`;
  return { title, text: link + waiting, canSend: true };
}
