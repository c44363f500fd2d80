import type { Routes } from '../http/routes.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Lifecycle } from '../kernel/running/lifecycle.ts';
import { runService } from '../kernel/running/run-service.ts';
import { createBackgroundJobs } from '../platform/background-jobs.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { StopNotifier } from '../redirect/changes/stops/stop.ts';
import { type ClearedNotifications, clearedMailJob, pruneClearedJob } from './clearing.ts';
import { addDomainRoutes } from './routes.ts';
import { createDomains } from './service.ts';

type Parts = {
  readonly routes: Routes;
  readonly db: Database;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly redirects: StopNotifier;
};

export function registerDomains(parts: Parts): void {
  const { routes, db, logger, lifecycle } = parts;
  addDomainRoutes(routes, createDomains(parts));
  runService(lifecycle, 'jobs of domains', createBackgroundJobs(logger, [pruneClearedJob(db)]));
}

/** Tells owners by mail that a URL of their domain was cleared, where the service sends mail. */
export function registerDomainMails(
  { db, logger, lifecycle }: Pick<Parts, 'db' | 'logger' | 'lifecycle'>,
  notifications: ClearedNotifications & { readonly sendsMail: boolean },
): void {
  if (!notifications.sendsMail) return;
  const jobs = createBackgroundJobs(logger, [clearedMailJob(db, notifications)]);
  runService(lifecycle, 'mails about domains', jobs);
}
