import type { Routes } from '../../http/routes.ts';
import type { LinkNames } from '../../kernel/addresses/link-names.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids, Uuid } from '../../kernel/ids.ts';
import type { Lifecycle } from '../../kernel/running/lifecycle.ts';
import { runService } from '../../kernel/running/run-service.ts';
import { createBackgroundJobs } from '../../platform/background-jobs.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { createEvidenceCleanup } from '../evidence.ts';
import { answerAppeal } from './answer-appeal.ts';
import { findDomains } from './domain-view.ts';
import { createHostSuspensions } from './host-suspensions.ts';
import * as operatorView from './operator-view.ts';
import { createOwnerMailJob, type SuspensionNotifications } from './owner-mails.ts';
import { addAppealRoutes, presentOwn } from './routes.ts';
import { createSuspensions, type Redirects } from './service.ts';
import type { SuspensionPublisher } from './suspension.ts';

type Parts = {
  readonly routes: Routes;
  readonly db: Database;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly redirects: Redirects;
  readonly publisher: SuspensionPublisher;
};

/** Suspensions of codes and accounts: the owners' appeals, and what operators and moderation work with. */
export function registerSuspensions(
  { routes, db, ids, clock, logger, lifecycle, redirects, publisher }: Parts,
  keys: { invalidate(accountId: Uuid): Promise<void> },
) {
  const suspensions = createSuspensions({
    ids,
    clock,
    redirects,
    invalidateKeys: keys.invalidate,
    publisher,
  });
  addAppealRoutes(routes, suspensions);
  runService(lifecycle, 'evidence', createBackgroundJobs(logger, [createEvidenceCleanup(db, clock)]));
  return {
    byHost: createHostSuspensions({ db, clock, redirects, publisher }),
    operatorView: { ...operatorView, findDomains },
    forOperators: {
      ...suspensions,
      answer: (on: Database, id: Uuid, text: string | null) => answerAppeal(on, id, text, clock.now()),
    },
    /** What an owner is told about a suspension of the whole account. */
    async ofAccount(accountId: Uuid) {
      const own = await suspensions.ofAccount(db, accountId);
      return own && presentOwn(own);
    },
  };
}

/** Tells owners by mail, where the service sends mail. */
export function registerSuspensionMails(
  {
    db,
    clock,
    logger,
    lifecycle,
    linkNames,
  }: Pick<Parts, 'db' | 'clock' | 'logger' | 'lifecycle'> & {
    readonly linkNames: LinkNames;
  },
  notifications: SuspensionNotifications & { readonly sendsMail: boolean },
): void {
  if (!notifications.sendsMail) return;
  const mailing = createOwnerMailJob({ db, clock, notifications, linkNames });
  runService(lifecycle, 'mails about suspensions', createBackgroundJobs(logger, [mailing]));
}
