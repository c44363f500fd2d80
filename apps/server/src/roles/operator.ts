import { AsyncLocalStorage } from 'node:async_hooks';
import type { KeyForgetter } from '../accounts/service.ts';
import type { Routes } from '../http/routes.ts';
import type { Ids } from '../kernel/ids.ts';
import { findLists } from '../lists/store.ts';
import { addOperatorRoutes } from '../operator/routes.ts';
import { parseHost } from '../qrcodes/blocked-host.ts';
import type { Moderation } from '../qrcodes/moderation.ts';
import type { ReportQueue } from '../reports/report.ts';
import { answerAppeal } from '../suspensions/answering.ts';
import * as view from '../suspensions/operator-view.ts';
import { addAppealRoutes } from '../suspensions/routes.ts';
import { createSuspensions, type Suspensions } from '../suspensions/service.ts';
import { byWebhook } from './announcing.ts';
import type { RedirectTeller } from './links.ts';
import type { Shared } from './shared.ts';

type Parts = {
  readonly routes: Routes;
  readonly ids: Ids;
  readonly links: RedirectTeller;
  readonly forgetter: KeyForgetter;
  readonly moderation: Moderation;
  readonly reports: ReportQueue;
};

/** What owners and operators do about suspensions in the dashboard. */
export function buildOperator(
  { config, clock, logger }: Pick<Shared, 'config' | 'clock' | 'logger'>,
  { routes, ids, links, forgetter, moderation, reports }: Parts,
): Suspensions {
  const { forget } = forgetter;
  const suspensions = createSuspensions({ ids, clock, redirects: links, forget, announce: byWebhook });
  // Not as part of the call that asked for it. A chore finishes what a process leaves that ends.
  const onItsOwn = AsyncLocalStorage.snapshot();
  let last: Promise<unknown> = Promise.resolve();
  addAppealRoutes(routes, suspensions);
  addOperatorRoutes(routes, {
    shortBaseUrl: config.shortBaseUrl,
    suspensions: {
      ...suspensions,
      answer: (db, id, text) => answerAppeal(db, id, text, clock.now()),
    },
    view,
    reports,
    hosts: { ...moderation, parse: parseHost },
    lists: { all: findLists },
    later(what, work) {
      last = last.then(() => onItsOwn(work)).catch(error => logger.error({ err: error }, what));
    },
  });
  return suspensions;
}
