import type { Plan } from '../../apps/server/src/kernel/caller.ts';

/** For a service that is called without a guard before it: nothing limits it. */
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
