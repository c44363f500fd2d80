import type { App } from '../http/app.ts';
import type { Routes } from '../http/routes.ts';
import type { ClientAddress } from '../kernel/addresses/client-address.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import { createSlidingWindows } from '../limits/sliding-windows.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { Attribution } from '../scans/geoip/attribution.ts';
import { type Analytics, createFigures } from './figures.ts';
import { addSharePages } from './page-routes.ts';
import { addShareLinkRoutes } from './routes.ts';
import { createShareLinks, type Shareable } from './service.ts';

type Parts = {
  readonly app: App;
  readonly routes: Routes;
  readonly config: { readonly publicUrl: string };
  readonly db: Database;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly clientAddress: ClientAddress;
  readonly windowMs: number;
};

type Sources = {
  readonly codes: Shareable;
  readonly analytics: Analytics;
  readonly attribution: Attribution | null;
};

/** Share links, and the pages that they lead to. */
export function registerShareLinks(
  { app, routes, config, db, ids, clock, clientAddress, windowMs }: Parts,
  { codes, analytics, attribution }: Sources,
): void {
  const shareLinks = createShareLinks({ ids, clock, codes });
  addShareLinkRoutes(routes, { shareLinks, clock, publicUrl: config.publicUrl });
  addSharePages(app, {
    db,
    clock,
    clientAddress,
    pages: createSlidingWindows({ windowMs, maxKeys: 100_000 }),
    readFigures: createFigures(analytics),
    attribution,
  });
}
