import type { Config } from '../config/config.ts';
import type { List } from '../moderation/lists/list.ts';
import { findLists } from '../moderation/lists/store.ts';
import type { DoctorContext } from './context.ts';
import { describeError, notChecked, type Outcome, ok, warning } from './finding.ts';

/** Whether a service with open sign-up is prepared for abuse. */
export async function checkSignUp({
  config,
  postgres,
}: Pick<DoctorContext, 'config' | 'postgres'>): Promise<readonly Outcome[]> {
  if (config.authSecret === '' || config.signUp === 'closed') return [ok('sign-up is closed')];
  let lists: readonly List[] | null = null;
  let failure = 'PostgreSQL cannot be reached';
  try {
    if ('db' in postgres) lists = await findLists(postgres.db);
  } catch (error) {
    failure = describeError(error);
  }
  const outcomes = assessSignUp(config, lists, new Date());
  if (lists === null) return [...outcomes, notChecked(`lists of unsafe destinations: ${failure}`)];
  return outcomes.length > 0 ? outcomes : [ok('sign-up is open, with mail, an abuse contact and a list')];
}

/** What open sign-up is missing. `lists` is null where they could not be read. */
export function assessSignUp(
  { smtpUrl, abuseContact }: Pick<Config, 'smtpUrl' | 'abuseContact'>,
  lists: readonly Pick<List, 'name' | 'expiresAt'>[] | null,
  now: Date,
): readonly Outcome[] {
  const outcomes: Outcome[] = [];
  if (smtpUrl === '')
    outcomes.push(
      warning(
        'sign-up is open without mail: anyone can sign up with any e-mail address',
        'Set SMTP_URL and MAIL_FROM, so that people confirm their address, or set SIGN_UP=closed.',
      ),
    );
  if (abuseContact === '')
    outcomes.push(
      warning(
        'sign-up is open without an abuse contact: people cannot tell you about harmful links',
        'Set ABUSE_CONTACT to an e-mail address or an https page that someone reads.',
      ),
    );
  const expired = lists?.filter(({ expiresAt }) => expiresAt !== null && expiresAt <= now) ?? [];
  if (lists?.length === 0)
    outcomes.push(
      warning(
        'sign-up is open, and no list of unsafe destinations is imported',
        'Import one every day with `signpost admin import-list`; docs/self-hosting/abuse.md has the line for cron.',
      ),
    );
  if (expired.length > 0)
    outcomes.push(
      warning(
        `sign-up is open, and ${expired.length === lists?.length ? 'every list has' : 'lists have'} expired: ${expired.map(list => list.name).join(', ')}`,
        'Find out why the daily import stopped, and import them again; or remove them with `signpost admin remove-list`.',
      ),
    );
  return outcomes;
}
