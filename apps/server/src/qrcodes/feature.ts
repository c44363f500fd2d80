import type { Config } from '../config/config.ts';
import type { Routes } from '../http/routes.ts';
import { parseHost } from '../kernel/addresses/hosts.ts';
import type { LinkNames } from '../kernel/addresses/link-names.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Lifecycle } from '../kernel/running/lifecycle.ts';
import { runService } from '../kernel/running/run-service.ts';
import type { Limiters } from '../limits/limiters.ts';
import type { QueryShare } from '../limits/shares/query-share.ts';
import type { Share } from '../limits/shares/share.ts';
import { createBackgroundJobs } from '../platform/background-jobs.ts';
import type { Logger } from '../platform/logger.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { NumberingInvalidator } from '../redirect/changes/cache-invalidator.ts';
import { createInvalidationRelay } from '../redirect/changes/invalidation-relay.ts';
import type { StopNotifier } from '../redirect/changes/stops/stop.ts';
import type { PlaceNamesSource } from '../rules/place-names.ts';
import type { ScanQueries } from '../scans/stores/scan-queries.ts';
import { pruneDailyCodesJob } from './creation/daily-limit.ts';
import { collectOwnAddresses, type HostLookup, watchOwnNames } from './creation/own-names.ts';
import type { StyleSource } from './creation/wanted-styles.ts';
import {
  type MassChangeNotifications,
  massChangeMailJob,
  pruneMassChangesJob,
} from './edits/mass-changes.ts';
import { createPauseAllCodes } from './edits/pause-all.ts';
import { addBrowseRoutes } from './listing/browse-routes.ts';
import { addOrganiseRoutes } from './listing/organise-routes.ts';
import { createSparklines } from './listing/sparklines.ts';
import { createModeration, type HostSuspender } from './moderation.ts';
import { createPlacements } from './placements/placements.ts';
import { addPlacementRoutes } from './placements/routes.ts';
import { addQrCodeRoutes } from './routes.ts';
import { createQrCodes } from './service.ts';
import { addTagRoutes } from './tags/routes.ts';

type Parts = {
  readonly routes: Routes;
  readonly config: Config;
  readonly linkNames: LinkNames;
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
  readonly scans: ScanQueries;
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
  const { linkNames } = parts;
  const links = { names: linkNames, imageBaseUrl: config.imageBaseUrl, publicUrl: config.publicUrl };
  const ownAddresses = collectOwnAddresses(config, linkNames);
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
    links,
    creations: creationLimiter,
    styles,
    clock,
    placeNames,
  });
  addOrganiseRoutes(routes, {
    qrcodes,
    links,
    creations: creationLimiter,
    styles,
    clock,
    placeNames,
    webhooksPerAccount: config.webhooksPerAccount,
  });
  addTagRoutes(routes);
  addPlacementRoutes(routes, {
    placements: createPlacements({ qrcodes, clock, links: redirects }),
    linkNames,
  });
  const sparklines = createSparklines(parts.scans, parts.queries, clock);
  addBrowseRoutes(routes, { qrcodes, links, sparklines, exports: parts.exports, clock });
  runService(lifecycle, 'own host names', watchOwnNames(ownAddresses, dns, logger));
  runService(lifecycle, 'invalidation relay', createInvalidationRelay({ db, links: redirects, logger }));
  const jobs = [moderation.finishBlocksJob(), pruneDailyCodesJob(db, clock), pruneMassChangesJob(db)];
  runService(lifecycle, 'jobs of qr codes', createBackgroundJobs(logger, jobs));
  return {
    qrcodes,
    /** Blocked hosts, for operators. */
    hosts: { ...moderation, parse: parseHost },
    pauseCodes: createPauseAllCodes({ ids, clock, links: redirects }),
  };
}

/** Tells owners by mail that many codes lead elsewhere or were deleted, where the service sends mail. */
export function registerMassChangeMails(
  { db, logger, lifecycle }: Pick<Parts, 'db' | 'logger' | 'lifecycle'>,
  notifications: MassChangeNotifications & { readonly sendsMail: boolean },
): void {
  if (!notifications.sendsMail) return;
  const jobs = createBackgroundJobs(logger, [massChangeMailJob(db, notifications)]);
  runService(lifecycle, 'mails about mass changes', jobs);
}
