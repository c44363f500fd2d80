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
import { createSlidingWindows } from '../kernel/sliding-windows.ts';
import { createRateLimiter, tokenKey } from '../limits/rate-limiter.ts';
import { createFeed } from '../live/feed.ts';
import { addLiveRoutes } from '../live/routes.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import { createPostgres } from '../platform/postgres.ts';
import { createAnnouncer } from '../qrcodes/announcer.ts';
import { addBrowseRoutes } from '../qrcodes/browse-routes.ts';
import { addQrCodeRoutes } from '../qrcodes/routes.ts';
import { createQrCodes } from '../qrcodes/service.ts';
import { createSparklines } from '../qrcodes/sparklines.ts';
import type { RedirectHandler } from '../redirect/handler.ts';
import { addUserRoutes } from '../users/routes.ts';
import { createAddressGuard } from '../webhooks/address-guard.ts';
import { createDeliveries } from '../webhooks/deliveries.ts';
import { createHostResolver } from '../webhooks/resolver.ts';
import { addWebhookRoutes } from '../webhooks/routes.ts';
import { createSecretBox } from '../webhooks/secret.ts';
import { createWebhooks } from '../webhooks/service.ts';
import { aboutService } from './about-service.ts';
import { addAbsence, buildPeople, dashboardRoot } from './dashboard.ts';
import { openLinks } from './links.ts';
import { ownAddressesOf, watchOwnNames } from './own-names.ts';
import { watchEngines } from './readiness-checks.ts';
import type { Shared } from './shared.ts';

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
  const { readiness, windowMs = minuteMs } = options;
  const ids = createIds(clock);

  const db = createPostgres(config, error => logger.warn({ err: error }, 'postgres connection lost'));
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

  const people = buildPeople(options, db, ids);
  const clientAddress = createClientAddress(config.trustedProxies);
  const app = createApp({
    guard,
    sessions: people?.guard,
    clientAddress,
    ids,
    logger,
    metrics,
    publicUrl: config.publicUrl,
    elsewhere,
  });
  lifecycle.defer('http', () => closeServer(app.server, () => app.close()));
  if (tracer) traceCalls(app, tracer);
  const idempotency = createIdempotency(db);
  const routes = createRoutes({
    app,
    db,
    idempotency,
    publicUrl: config.publicUrl,
    forSessions: people !== null,
  });

  const links = openLinks(redis, nats, silent =>
    logger.warn({ processes: silent.length }, 'redirect processes did not answer in time'),
  );
  const own = ownAddressesOf(config);
  const ownNames = watchOwnNames(own, config.webhookDnsServers, logger);
  ownNames.start();
  lifecycle.defer('own names', () => ownNames.stop());
  const qrcodes = createQrCodes({ ids, clock, own, links });
  addQrCodeRoutes(routes, qrcodes, config);
  const announcer = createAnnouncer({ db, links, logger });
  announcer.start();
  lifecycle.defer('announcer', () => announcer.stop());
  const renderer = createRenderer({
    cacheBytes: config.imageCacheMb * 1024 * 1024,
    maxWaiting: 200,
    onShed: () => metrics.imagesShed.inc(),
  });
  addImageRoutes(app, routes, { db, codes: qrcodes, renderer, shortBaseUrl: config.shortBaseUrl });
  if (people) {
    addUserRoutes(routes, { ...people, clientAddress, service: aboutService(config) });
    addKeyRoutes(routes, accounts);
    addBrowseRoutes(routes, { qrcodes, links: config, sparklines: createSparklines(clickhouse, clock) });
    const feed = createFeed({ db, clickhouse, logger, livingSessions: people.users.livingSessions });
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
  const deliveries = createDeliveries({ clickhouse, webhooks, ids, clock });
  addWebhookRoutes(routes, webhooks, deliveries, box);
  const timeoutMs = config.analyticsTimeoutMs;
  addAnalyticsRoutes(routes, createAnalytics({ clickhouse, codes: qrcodes, clock, timeoutMs }));
  const document = openApiDocument(config.publicUrl);
  routes.add(operations.getOpenApi, async () => document);
  addReferenceRoutes(app, document);
  watchEngines(readiness, { postgres: db, nats, clickhouse, redis }, ['postgres']);
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
