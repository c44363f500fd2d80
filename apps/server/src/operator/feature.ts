import { AsyncLocalStorage } from 'node:async_hooks';
import type { Routes } from '../http/routes.ts';
import type { LinkNames } from '../kernel/addresses/link-names.ts';
import type { Clock } from '../kernel/clock.ts';
import type { QueryShare } from '../limits/shares/query-share.ts';
import type { Logger } from '../platform/logger.ts';
import type { ScanQueries } from '../scans/stores/scan-queries.ts';
import { addAccountRoutes } from './account-routes.ts';
import type { AdminService } from './admin.ts';
import type { OperatorService } from './operator.ts';
import { addPeopleRoutes } from './people-routes.ts';
import { addOperatorRoutes } from './routes.ts';
import { createScanTotals } from './scan-totals.ts';

type Parts = {
  readonly routes: Routes;
  readonly linkNames: LinkNames;
  readonly logger: Logger;
};

/** What operators do about abuse in the dashboard. */
export function registerOperator(
  { routes, linkNames, logger }: Parts,
  others: Omit<OperatorService, 'linkNames' | 'runInBackground'>,
): void {
  // Not as part of the request that asked for it. A background job finishes what an ending process leaves behind.
  const outsideRequest = AsyncLocalStorage.snapshot();
  let last: Promise<unknown> = Promise.resolve();
  addOperatorRoutes(routes, {
    ...others,
    linkNames,
    runInBackground(what, work) {
      last = last.then(() => outsideRequest(work)).catch(error => logger.error({ err: error }, what));
    },
  });
}

/** People, accounts, plans and the check of the installation. Only where there are sessions. */
export function registerOperatorAdmin(
  {
    routes,
    config,
    queries,
    scans,
    clock,
  }: {
    readonly routes: Routes;
    readonly config: { readonly defaultPlan: string };
    readonly queries: QueryShare;
    readonly scans: ScanQueries;
    readonly clock: Clock;
  },
  others: Omit<AdminService, 'defaultPlan' | 'scanTotals'>,
): void {
  const service = {
    ...others,
    defaultPlan: config.defaultPlan,
    scanTotals: createScanTotals(scans, queries, clock, 30),
  };
  addPeopleRoutes(routes, service);
  addAccountRoutes(routes, service);
}
