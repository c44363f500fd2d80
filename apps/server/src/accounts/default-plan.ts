import type { Config } from '../config/config.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { createAccountStore } from './store.ts';

export const planNames = (db: Database): Promise<readonly string[]> => createAccountStore(db).planNames();

/** Only sign-up needs the plan, so a missing one is a warning and does not stop the process. */
export async function warnOfMissingPlan(
  db: Database,
  { defaultPlan }: Pick<Config, 'defaultPlan'>,
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  // A database that does not answer now says nothing about its plans.
  const plans = await planNames(db).catch(() => [defaultPlan]);
  if (!plans.includes(defaultPlan))
    logger.warn(
      { defaultPlan, plans },
      'DEFAULT_PLAN is not a plan: nobody can sign up. Set it to one of these',
    );
}
