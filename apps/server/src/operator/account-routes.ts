import { accountOperations, type Plan, type ListedAccount as WireListed } from '@signpost/contract';
import type { ListedPlan } from '../accounts/account.ts';
import type { Routes } from '../http/routes.ts';
import type { Person } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import { parseId } from '../kernel/ids.ts';
import { presentPage } from '../kernel/page.ts';
import type { ListedAccount } from '../moderation/suspensions/suspension.ts';
import type { AdminService } from './admin.ts';
import { presentAccountItem } from './present.ts';

/** Accounts, the plans that they are on, and the check of the installation. */
export function addAccountRoutes(routes: Routes, service: AdminService): void {
  const { accounts, plans, scanTotals, defaultPlan, checkSetup } = service;

  async function present(
    { userId: operator }: Person,
    items: readonly ListedAccount[],
  ): Promise<WireListed[]> {
    const ids = items.map(({ account }) => account.id);
    const scans = await scanTotals(operator, ids);
    return items.map(item => ({
      account: presentAccountItem(item.account),
      people: item.people.map(({ email }) => email),
      roles: item.people.map(({ role }) => role),
      people_count: item.peopleCount,
      codes_used: item.codesUsed,
      live_codes: item.liveCodes,
      code_quota: item.codeQuota,
      test_codes: item.testCodes,
      scans: scans && (scans.get(item.account.id) ?? 0),
    }));
  }

  routes.add(accountOperations.listAccounts, async ({ db, query, person }) => {
    const found = await accounts.list(db, query, { page: query.page ?? 1, limit: query.limit ?? 20 });
    return { data: await present(person, found.items), pagination: presentPage(found) };
  });

  routes.add(
    accountOperations.setAccountPlan,
    async ({ db, params, body, person, writeEvent }) => {
      const id = parseId('acct', params.id);
      if (!id) throw noAccount();
      await accounts.setPlan(id, body.plan, writeEvent);
      const found = await accounts.find(db, id);
      const [presented] = found ? await present(person, [found]) : [];
      if (!presented) throw noAccount();
      return presented;
    },
    { writesEvent: true },
  );

  routes.add(accountOperations.listPlans, async ({ db }) => ({
    data: (await plans(db)).map(plan => presentPlan(plan, defaultPlan)),
  }));

  routes.add(accountOperations.runSetupCheck, async () => {
    const { checkedAt, findings } = await checkSetup();
    return {
      checked_at: checkedAt.toISOString(),
      findings: findings.map(({ check, state, found, next = null }) => ({ check, state, found, next })),
    };
  });
}

const noAccount = () => new AppError('not_found', 'No account has this id.');

const presentPlan = (plan: ListedPlan, defaultPlan: string): Plan => ({
  name: plan.name,
  is_default: plan.name === defaultPlan,
  accounts: plan.accounts,
  requests_per_minute: plan.requestsPerMinute,
  code_quota: plan.codeQuota,
  quota_scope: plan.quotaScope,
  session_codes: plan.sessionCodes,
  test_codes: plan.testCodes,
  creations_per_minute: plan.creationsPerMinute,
  webhooks: plan.webhooks,
  members: plan.members,
});
