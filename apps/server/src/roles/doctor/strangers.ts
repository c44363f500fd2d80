import type { Config } from '../../config.ts';
import type { List } from '../../lists/list.ts';
import { findLists } from '../../lists/store.ts';
import { type Outcome, ok, warning, wordsOf } from './finding.ts';
import type { Patient } from './patient.ts';

/** Whether a service that lets strangers in is ready for those who come to abuse it. */
export async function checkStrangers({
  config,
  postgres,
}: Pick<Patient, 'config' | 'postgres'>): Promise<readonly Outcome[]> {
  if (config.authSecret === '' || config.signUp === 'closed') return [ok('sign-up is closed')];
  let lists: readonly List[] | null = null;
  let why = 'PostgreSQL is not reached';
  try {
    if ('db' in postgres) lists = await findLists(postgres.db);
  } catch (error) {
    why = wordsOf(error);
  }
  const found = judgeStrangers(config, lists, new Date());
  if (lists === null) return [...found, warning(`lists were not looked at: ${why}`, 'See above.')];
  return found.length > 0 ? found : [ok('strangers may sign up, with mail, an abuse contact and a list')];
}

/** What is missing where strangers may sign up. Lists are null where nobody knows. */
export function judgeStrangers(
  { smtpUrl, abuseContact }: Pick<Config, 'smtpUrl' | 'abuseContact'>,
  lists: readonly Pick<List, 'name' | 'expiresAt'>[] | null,
  now: Date,
): readonly Outcome[] {
  const found: Outcome[] = [];
  if (smtpUrl === '')
    found.push(
      warning(
        'strangers may sign up, and no mail is set up: anybody can use any address',
        'Set SMTP_URL and MAIL_FROM, so that people confirm their address. Or set SIGN_UP=closed.',
      ),
    );
  if (abuseContact === '')
    found.push(
      warning(
        'strangers may sign up, and nobody is told where to write about abuse',
        'Set ABUSE_CONTACT to an e-mail address or an https page that somebody reads.',
      ),
    );
  const expired = lists?.filter(({ expiresAt }) => expiresAt !== null && expiresAt <= now) ?? [];
  if (lists?.length === 0)
    found.push(
      warning(
        'strangers may sign up, and no list of unsafe destinations is imported',
        'Import one once a day with `signpost admin import-list`; docs/abuse.md has the line for cron.',
      ),
    );
  if (expired.length > 0)
    found.push(
      warning(
        `strangers may sign up, and ${expired.length === lists?.length ? 'every list has' : 'lists have'} expired: ${expired.map(list => list.name).join(', ')}`,
        'Find out why they are no longer imported, and import them; or remove them with `signpost admin remove-list`.',
      ),
    );
  return found;
}
