import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';
import type { Logger } from '../platform/logger.ts';

/** Tells a person something out of band. */
export type Mailer = {
  readonly sendsMail: boolean;
  sendReset(to: { readonly email: string; readonly name: string }, link: string): Promise<void>;
};

const timeoutMs = 10_000;

/** By SMTP; without it the link is in the log, as an event of its own, for the operator to hand on. */
export function createMailer(
  { smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>,
  logger: Pick<Logger, 'warn'>,
): Mailer {
  if (smtpUrl === '') {
    return {
      sendsMail: false,
      async sendReset({ email }, link) {
        logger.warn({ email, link }, 'no SMTP_URL: hand this link to set a new password on');
      },
    };
  }
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  return {
    sendsMail: true,
    async sendReset({ email, name }, link) {
      await transport.sendMail({
        from: mailFrom,
        to: { name, address: email },
        subject: 'Set a new password for Signpost',
        text: `Hello ${name},

somebody asked for a new password for your Signpost account. If it was you, open this link within an hour:

${link}

If it was not you, do nothing: your password stays as it is.
`,
      });
    },
  };
}
