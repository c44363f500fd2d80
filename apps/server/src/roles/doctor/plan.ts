import { planNames } from '../default-plan.ts';
import { type Outcome, ok, problem, warning } from './finding.ts';
import type { Patient } from './patient.ts';

/** Whether there is the plan that newcomers get. */
export async function checkPlan({ config, postgres }: Patient): Promise<Outcome> {
  if (!('db' in postgres)) return warning('not looked at, since PostgreSQL is not reached', 'See above.');
  const names = await planNames(postgres.db);
  if (names.includes(config.defaultPlan)) return ok(`newcomers get ${config.defaultPlan}`);
  return problem(
    `DEFAULT_PLAN is ${config.defaultPlan}, which is not a plan: nobody can sign up`,
    `Set it to one of ${names.join(', ')}, or add the plan to the table plans.`,
  );
}
