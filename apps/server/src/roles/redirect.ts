import { randomUUID } from 'node:crypto';
import { createClientAddress } from '../kernel/client-address.ts';
import { createSlidingWindows } from '../kernel/sliding-windows.ts';
import { createPostgres, isConnectionRefused } from '../platform/postgres.ts';
import { createRedirectHandler } from '../redirect/handler.ts';
import { createLease } from '../redirect/lease.ts';
import { createLeaseBook } from '../redirect/lease-book.ts';
import { createLinks } from '../redirect/links.ts';
import { createRedirectMetrics } from '../redirect/metrics.ts';
import { createEar } from '../redirect/nats-bus.ts';
import { createLinkStore } from '../redirect/store.ts';
import { watchEngines } from './readiness-checks.ts';
import { openRecorder } from './recorder.ts';
import type { Shared } from './shared.ts';

/** How long a redirect process may trust its memory without a word from Redis. */
export const leaseMs = 2000;
const renewEveryMs = 500;
/** A scanner does not wait longer than this for PostgreSQL. */
const lookUpMs = 2000;

/** Everything that answers short links, wired together; nothing listens yet. */
export async function buildRedirect(shared: Shared) {
  const { config, logger, metrics, lifecycle, readiness, redis, nats } = shared;
  const db = createPostgres({ ...config, databaseTimeoutMs: lookUpMs }, error =>
    logger.warn({ err: error }, 'postgres connection lost'),
  );
  lifecycle.defer('postgres of redirects', () => db.close());

  const id = randomUUID();
  const ear = createEar(nats, id, shortCodes => links.drop(shortCodes));
  lifecycle.defer('ear', () => ear.stop());
  const lease = createLease({
    id,
    book: createLeaseBook(redis, { leaseMs, timeoutMs: renewEveryMs }),
    isHearing: ear.isHearing,
    hearingLosses: ear.losses,
    leaseMs,
    renewEveryMs,
  });
  lifecycle.defer('lease', () => lease.stop());
  const links = createLinks({
    store: createLinkStore(db),
    lease,
    maxLinks: config.linksInMemory,
    maxUnknown: 100_000,
    unknownMs: 10_000,
    restMs: 500,
    isRefusal: isConnectionRefused,
    onAway: error => logger.warn({ err: error }, 'link not looked up'),
  });
  lease.start();
  watchEngines(readiness, { postgres: db, nats, redis }, []);
  createRedirectMetrics(metrics.registry, { lease, links });

  metrics.pages.inc({ page: 'unavailable' }, 0);
  const clientAddress = createClientAddress(config.trustedProxies);
  const handler = createRedirectHandler({
    links,
    recorder: await openRecorder(shared, db),
    clientAddress,
    misses: createSlidingWindows({ windowMs: 60_000, maxKeys: 100_000 }),
    missesPerMinute: config.missesPerMinute,
    onPage: page => metrics.pages.inc({ page }),
    onFault: error => logger.error({ err: error }, 'redirect failed'),
  });
  return { handler, lease, links, clientAddress };
}
