import type { createTransport } from 'nodemailer';
import type { Config } from '../config/config.ts';
import type { Mail } from './mails.ts';

/** Sends one mail, or throws. */
export type SendMail = (to: string, mail: Mail) => Promise<void>;

const timeoutMs = 10_000;

/** Signs in to the mail server and sends nothing. Throws what it answers. */
export async function verifyMailServer(smtpUrl: string, timeoutMs: number): Promise<void> {
  const limits = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  const transport = await openTransport({ url: smtpUrl, ...limits });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/** By SMTP; null if it is not set up: then no mail is sent and no address is confirmed. */
export function createMailer({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): SendMail | null {
  if (smtpUrl === '') return null;
  const limits = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  const opened = openTransport({ url: smtpUrl, ...limits });
  return async (to, { subject, text }) => {
    const transport = await opened;
    // Only the address: the name is text that an unknown person typed.
    await transport.sendMail({ from: mailFrom, to: { name: '', address: to }, subject, text });
  };
}

/** Without a mail server its client is not loaded. */
async function openTransport(options: Parameters<typeof createTransport>[0]) {
  const { createTransport } = await import('nodemailer');
  return createTransport(options);
}
