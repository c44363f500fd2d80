import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { Lifecycle } from '../../kernel/running/lifecycle.ts';
import { runService } from '../../kernel/running/run-service.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { SuspensionPublisher } from '../suspensions/suspension.ts';
import { createListJobs } from './daily-check.ts';
import type { ListCheckParts } from './list-check.ts';
import { findLists } from './store.ts';

type Parts = {
  readonly db: Database;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly redirects: ListCheckParts['links'];
  readonly publisher: SuspensionPublisher;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
};

/** Imported lists of harmful hosts and URLs, which every destination is checked against once a day. */
export function registerLists({ db, ids, clock, redirects, publisher, logger, lifecycle }: Parts) {
  const jobs = createListJobs({ db, ids, clock, links: redirects, publisher, logger });
  runService(lifecycle, 'lists', jobs);
  return { all: findLists };
}
