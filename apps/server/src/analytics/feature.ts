import type { Config } from '../config/config.ts';
import type { Routes } from '../http/routes.ts';
import type { Clock } from '../kernel/clock.ts';
import type { QueryShare } from '../limits/shares/query-share.ts';
import type { Share } from '../limits/shares/share.ts';
import type { ScanQueries } from '../scans/stores/scan-queries.ts';
import { addAnalyticsRoutes } from './routes.ts';
import { type Analytics, type Codes, createAnalytics } from './service.ts';

type Parts = {
  readonly routes: Routes;
  readonly config: Pick<Config, 'analyticsTimeoutMs'>;
  readonly clock: Clock;
  readonly scans: ScanQueries;
  readonly queries: QueryShare;
  readonly exports: Share;
};

/** Figures, lists and exports of scans. */
export function registerAnalytics(parts: Parts, codes: Codes): Analytics {
  const { routes, config, clock, scans, queries, exports } = parts;
  const timeoutMs = config.analyticsTimeoutMs;
  const analytics = createAnalytics({ scans, queries, exports, codes, clock, timeoutMs });
  addAnalyticsRoutes(routes, analytics);
  return analytics;
}
