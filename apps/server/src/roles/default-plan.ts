import { createAccountStore } from '../accounts/store.ts';
import type { Config } from '../config.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres.ts';

export const planNames = (db: Database): Promise<readonly string[]> => createAccountStore(db).planNames();

/** Everything but signing up works without it, so it is said and no more. */
export async function warnOfNoPlan(
  db: Database,
  { defaultPlan }: Pick<Config, 'defaultPlan'>,
  logger: Logger,
): Promise<void> {
  // A database that is away now says nothing about its plans.
  const plans = await planNames(db).catch(() => [defaultPlan]);
  if (!plans.includes(defaultPlan))
    logger.warn(
      { defaultPlan, plans },
      'DEFAULT_PLAN is not a plan: nobody can sign up. Set it to one of these',
    );
}
