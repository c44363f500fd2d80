import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';
import type { Mail } from './mails.ts';

/** Hands one mail in, or throws. */
export type SendMail = (to: string, mail: Mail) => Promise<void>;

const timeoutMs = 10_000;

/** By SMTP; null where it is not set up, and then nobody is sent or asked anything by mail. */
export function createMailer({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): SendMail | null {
  if (smtpUrl === '') return null;
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  return async (to, { subject, text }) => {
    // The address alone: a name would be somebody's words in a mail of ours.
    await transport.sendMail({ from: mailFrom, to: { name: '', address: to }, subject, text });
  };
}
