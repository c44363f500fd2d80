import { planNames } from '../accounts/default-plan.ts';
import type { DoctorContext } from './context.ts';
import { notChecked, type Outcome, ok, problem } from './finding.ts';

/** Whether the plan of new accounts exists. */
export async function checkPlan({ config, postgres }: DoctorContext): Promise<Outcome> {
  if (!('db' in postgres)) return notChecked('PostgreSQL cannot be reached');
  const names = await planNames(postgres.db);
  if (names.includes(config.defaultPlan)) return ok(`new accounts get ${config.defaultPlan}`);
  return problem(
    `DEFAULT_PLAN is ${config.defaultPlan}, which is not a plan: sign-up fails`,
    `Set it to one of ${names.join(', ')}, or add the plan to the table plans.`,
  );
}
