import type { App } from '../../http/app.ts';
import type { Routes } from '../../http/routes.ts';
import type { QueryShare } from '../../limits/shares/query-share.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { ScanQueries } from '../../scans/stores/scan-queries.ts';
import { Feed } from './feed.ts';
import { addLiveRoutes } from './routes.ts';

type Parts = {
  readonly app: App;
  readonly routes: Routes;
  readonly db: Database;
  readonly queries: QueryShare;
  readonly scans: ScanQueries;
  readonly logger: Logger;
};

type Others = Pick<ConstructorParameters<typeof Feed>[0], 'stillOpen'> &
  Pick<Parameters<typeof addLiveRoutes>[1], 'codes'>;

/** New scans as server-sent events. */
export function registerLive({ app, routes, db, queries, scans, logger }: Parts, others: Others): void {
  const feed = new Feed({ db, queries, scans, logger, stillOpen: others.stillOpen });
  // These responses never end by themselves: without this the server would wait for them when it closes.
  app.addHook('preClose', async () => feed.close());
  addLiveRoutes(routes, { feed, codes: others.codes });
}
