import { openAudit } from '../audit/feature.ts';
import { createApp } from '../http/app.ts';
import { openIdempotency } from '../http/idempotency/feature.ts';
import { createRoutes } from '../http/routes.ts';
import { traceCalls } from '../http/tracing.ts';
import { createClientAddress } from '../kernel/addresses/client-address.ts';
import { createIds } from '../kernel/ids.ts';
import { createRequestIds } from '../kernel/request-ids.ts';
import { openShares } from '../limits/feature.ts';
import { createPostgres } from '../platform/postgres/postgres.ts';
import type { RedirectHandler } from '../redirect/handler.ts';
import type { Passwords } from '../users/sign-in/passwords.ts';
import type { ScanStore } from './scan-store.ts';
import type { Shared } from './shared.ts';
import { publishByWebhook } from './suspension-webhooks.ts';

/** The limits of the plans are per minute. */
const minuteMs = 60_000;

export type ApiOptions = Shared & {
  readonly store: ScanStore;
  /** Answers paths that are not the API's, if both share a port. */
  readonly elsewhere?: RedirectHandler | undefined;
  /** Cheaper hashes of passwords, for tests. */
  readonly passwords?: Passwords;
  /** A shorter minute, for tests of the limits. */
  readonly windowMs?: number;
  /** Whether calls leave events in the audit log: always, but for the bench of what an event costs. */
  readonly isAudited?: boolean;
  /** Another build of the dashboard, for tests. */
  readonly dashboardRoot?: string;
  /** Another build of the SDK, for tests. */
  readonly sdkPackage?: string;
  /** Another build of the reference, for tests. */
  readonly referenceRoot?: string;
};

/** What the features of the API share. Each asks for what it needs of it. */
export function openApiParts(options: ApiOptions) {
  const { config, logger, metrics, lifecycle, clock, engines, tracer, elsewhere, pools } = options;
  const db = createPostgres(config, options.onConnectionLost, pools.observerFor('api'));
  lifecycle.defer('postgres', () => db.close());
  const clientAddress = createClientAddress(config.trustedProxies);
  const nextRequestId = createRequestIds(clock);
  const { publicUrl } = config;
  const app = createApp({ clientAddress, nextRequestId, logger, metrics, publicUrl, elsewhere });
  if (tracer) traceCalls(app, tracer);
  const { limiters } = engines;
  const shares = openShares({ ...options, limiters });
  const idempotency = openIdempotency({ db, metrics, logger, lifecycle });
  const forSessions = config.authSecret !== '';
  const audit = openAudit({ db, logger, lifecycle, config });
  const events = options.isAudited === false ? {} : { audit };
  const routes = createRoutes({ app, db, idempotency, publicUrl, ...events, forSessions, ...shares });
  return {
    ...options,
    ...shares,
    scans: options.store.openQueries(),
    limiters,
    windowMs: options.windowMs ?? minuteMs,
    db,
    ids: createIds(clock),
    clientAddress,
    app,
    idempotency,
    routes,
    /** Makes changes hold on every redirect process. */
    redirects: engines.openNotifier(silent =>
      logger.warn({ processes: silent.length }, 'redirect processes did not answer in time'),
    ),
    /** Tells owners about suspensions. */
    publisher: publishByWebhook,
  };
}
