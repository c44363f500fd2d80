import type { Plan } from '../../../apps/server/src/kernel/caller.ts';

/** For services that a test calls directly, without a guard: no limits. */
export const unlimitedPlan: Plan = {
  name: 'unlimited',
  requestsPerMinute: 1,
  codeQuota: null,
  quotaScope: 'pool',
  webhooks: false,
  sessionCodes: null,
  testCodes: null,
  creationsPerMinute: null,
};
