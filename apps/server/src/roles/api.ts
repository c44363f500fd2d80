import { openApiDocument, operations } from '@signpost/contract';
import { createGuard } from '../accounts/guard.ts';
import { createKeyCache, createKeyForgetter } from '../accounts/key-cache.ts';
import { createKeyUses, flushEveryMs } from '../accounts/key-uses.ts';
import { addKeyRoutes } from '../accounts/routes.ts';
import { createAccounts } from '../accounts/service.ts';
import { createAccountStore } from '../accounts/store.ts';
import { addAnalyticsRoutes } from '../analytics/routes.ts';
import { createAnalytics } from '../analytics/service.ts';
import { createApp } from '../http/app.ts';
import { closeServer } from '../http/close-server.ts';
import { addDashboardRoutes } from '../http/dashboard-files.ts';
import { addHealthRoutes } from '../http/health.ts';
import { createIdempotency } from '../http/idempotency.ts';
import { addReferenceRoutes } from '../http/reference-routes.ts';
import { createRoutes } from '../http/routes.ts';
import { traceCalls } from '../http/tracing.ts';
import { createRenderer } from '../images/renderer.ts';
import { addImageRoutes } from '../images/routes.ts';
import { atMostEvery } from '../kernel/at-most-every.ts';
import { createClientAddress } from '../kernel/client-address.ts';
import { createIds } from '../kernel/ids.ts';
import { createRequestIds } from '../kernel/request-ids.ts';
import { createSlidingWindows } from '../kernel/sliding-windows.ts';
import { createCreationLimiter } from '../limits/creation-limiter.ts';
import { createRateLimiter, tokenKey } from '../limits/rate-limiter.ts';
import { createWeightedWindows } from '../limits/weighted-windows.ts';
import { createListChores } from '../lists/chores.ts';
import { createFeed } from '../live/feed.ts';
import { addLiveRoutes } from '../live/routes.ts';
import { createChores } from '../platform/chores.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import { createPostgres } from '../platform/postgres.ts';
import { createAnnouncer } from '../qrcodes/announcer.ts';
import { addBrowseRoutes } from '../qrcodes/browse-routes.ts';
import { forgetsDailyCodes } from '../qrcodes/daily-codes.ts';
import { createModeration } from '../qrcodes/moderation.ts';
import { addQrCodeRoutes } from '../qrcodes/routes.ts';
import { createQrCodes } from '../qrcodes/service.ts';
import { createSparklines } from '../qrcodes/sparklines.ts';
import { fillsTargets } from '../qrcodes/targets.ts';
import type { RedirectHandler } from '../redirect/handler.ts';
import { createStopAnnouncer } from '../stops/announcer.ts';
import { createHostSuspensions } from '../suspensions/by-host.ts';
import { removesEvidence } from '../suspensions/evidence.ts';
import { mailsOwners } from '../suspensions/mailing.ts';
import { presentOwn } from '../suspensions/routes.ts';
import { addUserRoutes } from '../users/routes.ts';
import { createAddressGuard } from '../webhooks/address-guard.ts';
import { createDeliveries } from '../webhooks/deliveries.ts';
import { createHostResolver } from '../webhooks/resolver.ts';
import { addWebhookRoutes } from '../webhooks/routes.ts';
import { createSecretBox } from '../webhooks/secret.ts';
import { createWebhooks } from '../webhooks/service.ts';
import { aboutService } from './about-service.ts';
import { byWebhook } from './announcing.ts';
import { addAbsence, buildPeople, dashboardRoot } from './dashboard.ts';
import { warnOfNoPlan } from './default-plan.ts';
import { openLinks } from './links.ts';
import { buildOperator } from './operator.ts';
import { ownAddressesOf, watchOwnNames } from './own-names.ts';
import { watchEngines } from './readiness-checks.ts';
import { buildReports } from './reports.ts';
import type { Shared } from './shared.ts';
import { buildShares } from './shares.ts';

/** How long a window of the rate limit is; the limits of the plans are per minute. */
const minuteMs = 60_000;

type Options = Shared & {
  readonly clickhouse: ClickHouse;
  /** Who answers paths that are not the API's, where both share a port. */
  readonly elsewhere?: RedirectHandler | undefined;
  /** A shorter minute, for tests of the limits. */
  readonly windowMs?: number;
  /** Another build of the dashboard, for tests. */
  readonly dashboardRoot?: string;
};

export type Api = ReturnType<typeof buildApi>;

/** Everything that the API needs, wired together; nothing listens yet. */
export function buildApi(options: Options) {
  const { config, logger, metrics, lifecycle, clock, redis, nats, clickhouse, tracer, elsewhere } = options;
  const { pools, readiness, windowMs = minuteMs } = options;
  const ids = createIds(clock);

  const lost = (error: Error) => logger.warn({ err: error }, 'postgres connection lost');
  const db = createPostgres(config, lost, pools.of('api'));
  lifecycle.defer('postgres', () => db.close());

  const store = createAccountStore(db);
  const limiter = createRateLimiter({
    redis,
    windows: createSlidingWindows({ windowMs, maxKeys: 50_000 }),
    windowMs,
    timeoutMs: config.redisTimeoutMs,
    onAway: () => metrics.limitedByProcess.inc(),
  });
  const uses = createKeyUses({ store, clock });
  const guard = createGuard({
    store,
    cache: createKeyCache(50_000),
    limiter,
    uses,
    anonymous: createSlidingWindows({ windowMs, maxKeys: 100_000 }),
    anonymousPerMinute: config.anonymousRequestsPerMinute,
  });
  const forgetter = createKeyForgetter(redis, tokenKey, config.redisTimeoutMs * 10);
  const accounts = createAccounts({ store, forgetter, ids, clock });

  const links = openLinks(redis, nats, silent =>
    logger.warn({ processes: silent.length }, 'redirect processes did not answer in time'),
  );
  const people = buildPeople(options, db, ids, accounts, { links, forgetter });
  const clientAddress = createClientAddress(config.trustedProxies);
  const app = createApp({
    guard,
    sessions: people?.guard,
    clientAddress,
    nextRequestId: createRequestIds(clock),
    logger,
    metrics,
    publicUrl: config.publicUrl,
    elsewhere,
  });
  lifecycle.defer('http', () => closeServer(app.server, () => app.close()));
  if (tracer) traceCalls(app, tracer);
  const idempotency = createIdempotency(db);
  const { exports, questions, reading } = buildShares({ config, redis, metrics, lifecycle, clickhouse });
  const routes = createRoutes({
    app,
    db,
    idempotency,
    publicUrl: config.publicUrl,
    forSessions: people !== null,
    reading,
  });

  const own = ownAddressesOf(config);
  const ownNames = watchOwnNames(own, config.webhookDnsServers, logger);
  ownNames.start();
  lifecycle.defer('own names', () => ownNames.stop());
  const { minChosenCode, newAccountCodesPerDay } = config;
  const qrcodes = createQrCodes({ ids, clock, own, links, minChosenCode, newAccountCodesPerDay });
  const creations = createCreationLimiter({
    redis,
    windows: createWeightedWindows({ windowMs, maxKeys: 20_000 }),
    windowMs,
    timeoutMs: config.redisTimeoutMs,
    onAway: () => metrics.limitedByProcess.inc(),
  });
  addQrCodeRoutes(routes, qrcodes, config, creations);
  const announcer = createAnnouncer({ db, links, logger });
  announcer.start();
  lifecycle.defer('announcer', () => announcer.stop());
  const moderation = createModeration({
    db,
    ids,
    clock,
    redirects: links,
    suspender: createHostSuspensions({ db, clock, redirects: links, announce: byWebhook }),
  });
  const chores = createChores(logger, [
    fillsTargets(db),
    moderation.finishesBlocks(),
    removesEvidence(db, clock),
    forgetsDailyCodes(db, clock),
    ...(people?.sendsMail ? [mailsOwners({ ...config, db, clock, notices: people.notices })] : []),
  ]);
  chores.start();
  lifecycle.defer('chores', () => chores.stop());
  const stopAnnouncer = createStopAnnouncer({ db, redirects: links, logger });
  stopAnnouncer.start();
  lifecycle.defer('announcer of stops', () => stopAnnouncer.stop());
  const listChores = createListChores({ db, ids, clock, links, logger, announce: byWebhook });
  listChores.start();
  lifecycle.defer('lists', () => listChores.stop());
  const renderer = createRenderer({
    cacheBytes: config.imageCacheMb * 1024 * 1024,
    maxWaiting: 200,
    onShed: () => metrics.imagesShed.inc(),
  });
  addImageRoutes(app, routes, {
    db,
    codes: qrcodes,
    renderer,
    shortBaseUrl: config.shortBaseUrl,
    clientAddress,
    drawings: createWeightedWindows({ windowMs, maxKeys: 100_000 }),
    drawingsPerMinute: config.drawingsPerMinute,
  });
  const reports = buildReports(options, { app, db, ids, clientAddress });
  if (people) {
    const desk = { routes, ids, links, forgetter, moderation, reports };
    const suspensions = buildOperator(options, desk);
    addUserRoutes(routes, {
      ...people,
      clientAddress,
      service: aboutService(config),
      async ownSuspension(accountId) {
        const own = await suspensions.ofAccount(db, accountId);
        return own && presentOwn(own);
      },
    });
    addKeyRoutes(routes, accounts, people.users);
    addBrowseRoutes(routes, { qrcodes, links: config, sparklines: createSparklines(questions, clock) });
    const feed = createFeed({ db, questions, logger, livingSessions: people.users.livingSessions });
    lifecycle.defer('live views', () => feed.close());
    addLiveRoutes(routes, { feed, codes: qrcodes });
  } else addAbsence(app);
  addDashboardRoutes(app, {
    root: options.dashboardRoot ?? dashboardRoot,
    isOn: people !== null,
    imageBaseUrl: config.imageBaseUrl,
  });
  const box = createSecretBox(config.webhookSecretKeys);
  const resolver = createHostResolver(createAddressGuard(config.webhookAllowCidrs), config.webhookDnsServers);
  const webhooks = createWebhooks({ ids, clock, resolver, box, limit: config.webhooksPerAccount });
  const deliveries = createDeliveries({ questions, webhooks, ids, clock });
  addWebhookRoutes(routes, webhooks, deliveries, box);
  const timeoutMs = config.analyticsTimeoutMs;
  addAnalyticsRoutes(
    routes,
    createAnalytics({ clickhouse, questions, exports, codes: qrcodes, clock, timeoutMs }),
  );
  const document = openApiDocument(config.publicUrl);
  routes.add(operations.getOpenApi, async () => document);
  addReferenceRoutes(app, document);
  watchEngines(readiness, { postgres: db, nats, clickhouse, redis }, ['postgres']);
  void warnOfNoPlan(db, config, logger);
  addHealthRoutes(app, readiness, clientAddress);

  const noteRemoved = sumUp(logger);
  const cleaner = setInterval(() => {
    idempotency.removeExpired(1000).then(
      removed => {
        metrics.idempotencyKeysRemoved.inc(removed);
        noteRemoved('idempotencyKeys', removed);
      },
      error => logger.warn({ err: error }, 'removal of old idempotency keys failed'),
    );
    people?.users.removeExpired(1000).then(
      removed => noteRemoved('sessions', removed),
      error => logger.warn({ err: error }, 'removal of ended sessions failed'),
    );
  }, 10_000);
  lifecycle.defer('cleaner', () => clearInterval(cleaner));
  const writeUses = () =>
    uses.flush().catch(error => logger.warn({ err: error }, 'uses of keys not written down'));
  const usesWriter = setInterval(writeUses, flushEveryMs);
  lifecycle.defer('uses of keys', () => {
    clearInterval(usesWriter);
    return writeUses();
  });

  return {
    app,
    accounts,
    users: people?.users ?? null,
    uses,
    db,
    redis,
    idempotency,
    readiness,
    metrics,
    close: () => lifecycle.close(),
  };
}

/** What is removed every few seconds is worth a line an hour. */
function sumUp(logger: Shared['logger']) {
  const say = atMostEvery(3_600_000);
  let removed = { idempotencyKeys: 0, sessions: 0 };
  return (kind: keyof typeof removed, count: number) => {
    removed[kind] += count;
    if (count === 0) return;
    say(() => {
      logger.info(removed, 'expired idempotency keys and sessions removed');
      removed = { idempotencyKeys: 0, sessions: 0 };
    });
  };
}
