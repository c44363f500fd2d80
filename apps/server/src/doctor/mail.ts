import { verifyMailServer } from '../users/mailer.ts';
import type { DoctorContext } from './context.ts';
import { describeError, type Outcome, ok, problem, warning } from './finding.ts';

const timeoutMs = 5_000;

/** Whether mail can be sent. Nothing is sent. */
export async function checkMail({ config }: Pick<DoctorContext, 'config'>): Promise<Outcome> {
  const { smtpUrl, authSecret } = config;
  if (authSecret === '') return ok('not needed: the dashboard is off');
  if (smtpUrl === '')
    return warning(
      'no mail is set up: nobody can confirm an e-mail address or reset a forgotten password by themselves',
      'Set SMTP_URL and MAIL_FROM.',
    );
  const { host } = new URL(smtpUrl);
  try {
    await verifyMailServer(smtpUrl, timeoutMs);
    return ok(`${host} accepts mail from this server`);
  } catch (error) {
    return problem(
      `the mail server ${host} cannot be used: ${describeError(error)}`,
      'Check host, port, user and password in SMTP_URL. Many hosters block port 25: try 587 or 465.',
    );
  }
}
