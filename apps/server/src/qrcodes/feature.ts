import type { Config } from '../config/config.ts';
import type { Routes } from '../http/routes.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import { runService } from '../kernel/run-service.ts';
import { createCreationLimiter } from '../limits/creation-limiter.ts';
import type { QueryShare } from '../limits/query-share.ts';
import { createWeightedWindows } from '../limits/weighted-windows.ts';
import { createBackgroundJobs } from '../platform/background-jobs.ts';
import type { Logger } from '../platform/logger.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Database } from '../platform/postgres.ts';
import type { RedisClient } from '../platform/redis.ts';
import type { StopNotifier } from '../stops/stop.ts';
import { parseHost } from './blocked-host.ts';
import { addBrowseRoutes } from './browse-routes.ts';
import type { NumberingInvalidator } from './cache-invalidator.ts';
import { pruneDailyCodesJob } from './daily-limit.ts';
import { createInvalidationRelay } from './invalidation-relay.ts';
import { createModeration, type HostSuspender } from './moderation.ts';
import { type HostLookup, ownAddressesOf, watchOwnNames } from './own-names.ts';
import { createPauseAllCodes } from './pause-all.ts';
import { addQrCodeRoutes } from './routes.ts';
import { createQrCodes } from './service.ts';
import { createSparklines } from './sparklines.ts';
import { backfillTargetsJob } from './target-backfill.ts';

type Parts = {
  readonly routes: Routes;
  readonly config: Config;
  readonly db: Database;
  readonly redis: RedisClient;
  readonly metrics: Pick<Metrics, 'limitedByProcess'>;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly windowMs: number;
  readonly redirects: NumberingInvalidator & StopNotifier;
  readonly queries: QueryShare;
};

/** QR codes: the API, the list of the dashboard, moderation, and what keeps redirects up to date. */
export function registerQrCodes(
  parts: Parts,
  { hostSuspender, dns }: { readonly hostSuspender: HostSuspender; readonly dns: HostLookup },
) {
  const { routes, config, db, redis, metrics, logger, lifecycle, clock, ids, windowMs, redirects } = parts;
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
  const creationLimiter = createCreationLimiter({
    redis,
    windows: createWeightedWindows({ windowMs, maxKeys: 20_000 }),
    windowMs,
    timeoutMs: config.redisTimeoutMs,
    onAway: () => metrics.limitedByProcess.inc(),
  });
  const moderation = createModeration({ db, ids, clock, redirects, suspender: hostSuspender });
  addQrCodeRoutes(routes, qrcodes, config, creationLimiter);
  addBrowseRoutes(routes, { qrcodes, links: config, sparklines: createSparklines(parts.queries, clock) });
  runService(lifecycle, 'own host names', watchOwnNames(ownAddresses, dns, logger));
  runService(lifecycle, 'invalidation relay', createInvalidationRelay({ db, links: redirects, logger }));
  const jobs = [backfillTargetsJob(db), moderation.finishBlocksJob(), pruneDailyCodesJob(db, clock)];
  runService(lifecycle, 'jobs of qr codes', createBackgroundJobs(logger, jobs));
  return {
    qrcodes,
    /** Blocked hosts, for operators. */
    hosts: { ...moderation, parse: parseHost },
    pauseCodes: createPauseAllCodes({ ids, clock, links: redirects }),
  };
}
