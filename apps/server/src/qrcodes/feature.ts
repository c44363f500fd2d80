import type { Config } from '../config/config.ts';
import type { Routes } from '../http/routes.ts';
import type { Clock } from '../kernel/clock.ts';
import { parseHost } from '../kernel/hosts.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import { runService } from '../kernel/run-service.ts';
import type { Limiters } from '../limits/limiters.ts';
import type { QueryShare } from '../limits/query-share.ts';
import type { Share } from '../limits/share.ts';
import { createBackgroundJobs } from '../platform/background-jobs.ts';
import type { Logger } from '../platform/logger.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Database } from '../platform/postgres.ts';
import type { PlaceNamesSource } from '../rules/place-names.ts';
import type { StopNotifier } from '../stops/stop.ts';
import { addBrowseRoutes } from './browse-routes.ts';
import type { NumberingInvalidator } from './cache-invalidator.ts';
import { pruneDailyCodesJob } from './daily-limit.ts';
import {
  type DestinationNotifications,
  destinationMailJob,
  pruneDestinationChangesJob,
} from './destination-changes.ts';
import { createInvalidationRelay } from './invalidation-relay.ts';
import { createModeration, type HostSuspender } from './moderation.ts';
import { addOrganiseRoutes } from './organise-routes.ts';
import { type HostLookup, ownAddressesOf, watchOwnNames } from './own-names.ts';
import { createPauseAllCodes } from './pause-all.ts';
import { createPlacements } from './placements/placements.ts';
import { addPlacementRoutes } from './placements/routes.ts';
import { addQrCodeRoutes } from './routes.ts';
import { createQrCodes } from './service.ts';
import { createSparklines } from './sparklines.ts';
import { addTagRoutes } from './tags/routes.ts';
import type { StyleSource } from './wanted-styles.ts';

type Parts = {
  readonly routes: Routes;
  readonly config: Config;
  readonly db: Database;
  readonly limiters: Pick<Limiters, 'creations'>;
  readonly metrics: Pick<Metrics, 'limitedByProcess'>;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly windowMs: number;
  readonly redirects: NumberingInvalidator & StopNotifier;
  readonly queries: QueryShare;
  readonly exports: Share;
};

/** QR codes: the API, the list of the dashboard, moderation, and what keeps redirects up to date. */
export function registerQrCodes(
  parts: Parts,
  {
    hostSuspender,
    dns,
    styles,
    placeNames,
  }: {
    readonly hostSuspender: HostSuspender;
    readonly dns: HostLookup;
    readonly styles: StyleSource;
    readonly placeNames: PlaceNamesSource;
  },
) {
  const { routes, config, db, limiters, metrics, logger, lifecycle, clock, ids, windowMs, redirects } = parts;
  const ownAddresses = ownAddressesOf(config);
  const { minCustomCodeLength, newAccountCodesPerDay } = config;
  const qrcodes = createQrCodes({
    ids,
    clock,
    ownAddresses,
    links: redirects,
    minCustomCodeLength,
    newAccountCodesPerDay,
  });
  const creationLimiter = limiters.creations({
    windowMs,
    onAlone: () => metrics.limitedByProcess.inc(),
  });
  const moderation = createModeration({ db, ids, clock, redirects, suspender: hostSuspender });
  addQrCodeRoutes(routes, {
    qrcodes,
    links: config,
    creations: creationLimiter,
    styles,
    clock,
    placeNames,
  });
  addOrganiseRoutes(routes, { qrcodes, links: config, creations: creationLimiter, styles, clock });
  addTagRoutes(routes);
  addPlacementRoutes(routes, {
    placements: createPlacements({ qrcodes, clock, links: redirects }),
    links: config,
  });
  const sparklines = createSparklines(parts.queries, clock);
  addBrowseRoutes(routes, { qrcodes, links: config, sparklines, exports: parts.exports, clock });
  runService(lifecycle, 'own host names', watchOwnNames(ownAddresses, dns, logger));
  runService(lifecycle, 'invalidation relay', createInvalidationRelay({ db, links: redirects, logger }));
  const jobs = [moderation.finishBlocksJob(), pruneDailyCodesJob(db, clock), pruneDestinationChangesJob(db)];
  runService(lifecycle, 'jobs of qr codes', createBackgroundJobs(logger, jobs));
  return {
    qrcodes,
    /** Blocked hosts, for operators. */
    hosts: { ...moderation, parse: parseHost },
    pauseCodes: createPauseAllCodes({ ids, clock, links: redirects }),
  };
}

/** Tells owners by mail that many destinations changed, where the service sends mail. */
export function registerDestinationMails(
  { db, logger, lifecycle }: Pick<Parts, 'db' | 'logger' | 'lifecycle'>,
  notifications: DestinationNotifications & { readonly sendsMail: boolean },
): void {
  if (!notifications.sendsMail) return;
  const jobs = createBackgroundJobs(logger, [destinationMailJob(db, notifications)]);
  runService(lifecycle, 'mails about destinations', jobs);
}
