import type { Plan } from '@signpost/contract';
import { operatorText } from '../../strings/operator.ts';
import { formatNumber } from '../../ui/format.ts';

const text = operatorText.plans;

export const limitOf = (limit: number | null): string =>
  limit === null ? text.noLimit : formatNumber(limit);

/** How many live codes a plan allows, and where they may be made. */
export function codesOfPlan(plan: Pick<Plan, 'code_quota' | 'quota_scope' | 'session_codes'>): string {
  if (plan.quota_scope === 'pool') return limitOf(plan.code_quota);
  const inDashboard = plan.session_codes === null ? text.noLimit : formatNumber(plan.session_codes);
  return text.codesByWay(limitOf(plan.code_quota), inDashboard);
}
