import { hash, randomUUID } from 'node:crypto';
import type { Config } from '../config.ts';
import { presentError } from '../http/errors.ts';
import { atMostEvery } from '../kernel/at-most-every.ts';
import { createClientAddress } from '../kernel/client-address.ts';
import { createRequestIds } from '../kernel/request-ids.ts';
import { createSlidingWindows } from '../kernel/sliding-windows.ts';
import type { Logger } from '../platform/logger.ts';
import { createPostgres, isUnavailable, refusalCheckOf } from '../platform/postgres.ts';
import { createPostgresProbe } from '../platform/postgres-probe.ts';
import { createAnswerTimes } from '../redirect/answer-times.ts';
import { createDatabaseWatch } from '../redirect/database-watch.ts';
import { createRedirectHandler } from '../redirect/handler.ts';
import { createKeyFilter } from '../redirect/key-filter.ts';
import { createKeyLoader } from '../redirect/key-loader.ts';
import { createLease } from '../redirect/lease.ts';
import { createLeaseBook } from '../redirect/lease-book.ts';
import { createLinkSnapshot, hasSnapshot } from '../redirect/link-snapshot.ts';
import { createLinks } from '../redirect/links.ts';
import { createLookUpGate } from '../redirect/look-up-gate.ts';
import { createLookUps } from '../redirect/look-ups.ts';
import { createRedirectMetrics } from '../redirect/metrics.ts';
import { createEar } from '../redirect/nats-bus.ts';
import { createPages } from '../redirect/pages.ts';
import { createPreviews } from '../redirect/preview.ts';
import { createStops } from '../redirect/stops.ts';
import { createLinkStore, createStopReader } from '../redirect/store.ts';
import { ownPools } from './pool-sizes.ts';
import { watchEngines } from './readiness-checks.ts';
import { openRecorder } from './recorder.ts';
import type { Shared } from './shared.ts';

/** How long a redirect process may trust its memory without a word from Redis. */
export const leaseMs = 2000;
const renewEveryMs = 500;
/** A scanner does not wait longer than this for PostgreSQL. */
const lookUpMs = 2000;
/** Nor longer than this where memory has an answer; 150 ms were promised. */
const silenceMs = 120;
/** A question to PostgreSQL that has no answer by then never gets one: its connection is replaced. */
const questionMs = 1000;
const probeMs = 500;

/** Everything that answers short links, wired together; nothing listens yet. */
export async function buildRedirect(shared: Shared) {
  const { config, logger, metrics, pools, lifecycle, readiness, clock, redis, nats } = shared;
  const db = createPostgres(
    { ...config, databaseTimeoutMs: questionMs },
    warnOf(logger, 'postgres connection lost'),
    pools.of('redirect'),
  );
  lifecycle.defer('postgres of redirects', () => db.close());

  const id = randomUUID();
  const stops = createStops(createStopReader(db));
  const ear = createEar(nats, id, { drop: keys => links.drop(keys), apply: stops.apply });
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

  const probe = createPostgresProbe(config.databaseUrl, probeMs);
  lifecycle.defer('database probe', () => probe.close());
  const isRefusal = refusalCheckOf(config);
  const watch = watchDatabase(probe.ask, isRefusal, logger);
  watch.start();
  lifecycle.defer('database watch', () => watch.stop());
  const lookUps = createLookUps({
    store: createLinkStore(db, stops),
    watch,
    isRefusal,
    silenceMs,
  });
  lifecycle.defer('look-ups', () => lookUps.stop());
  const gate = createLookUpGate();
  const filter = createKeyFilter();
  const links = createLinks({
    lookUps,
    watch,
    gate,
    filter,
    lease,
    maxLinks: config.linksInMemory,
    maxUnknown: 100_000,
    unknownMs: 10_000,
    silenceMs,
    lookUpMs,
    staleLinks: config.staleLinks,
    clock,
    onAway: warnOf(logger, 'link not looked up'),
  });
  const snapshot = createLinkSnapshot({
    dir: config.spoolDir,
    installation: installationOf(config),
    links,
    stops,
    clock,
    onError: error => logger.warn({ err: error }, 'snapshot of links not written'),
  });
  await loadSnapshot(snapshot, logger);
  snapshot.start();
  lifecycle.defer('snapshot of links', () => snapshot.stop());
  lease.start();
  const loader = createKeyLoader({ db, filter, lease, onError: warnOf(logger, 'short codes not read') });
  loader.start();
  lifecycle.defer('short codes', () => loader.stop());
  watchEngines(readiness, { postgres: db, nats, redis }, []);
  const pages = createPages((error, requestId) => presentError(error, requestId, config.publicUrl));
  const times = createAnswerTimes([200, 302, ...Object.values(pages).map(page => page.status)]);
  createRedirectMetrics(metrics.registry, { lease, links, watch, gate, filter, snapshot, times });

  const previewDb = createPostgres(
    { ...config, databaseTimeoutMs: questionMs, databasePoolSize: ownPools.previews },
    warnOf(logger, 'postgres connection lost'),
    pools.of('previews'),
  );
  lifecycle.defer('postgres of previews', () => previewDb.close());
  const previews = createPreviews({
    db: previewDb,
    watch,
    gate: createLookUpGate(),
    windows: createSlidingWindows({ windowMs: 60_000, maxKeys: 100_000 }),
    perMinute: config.missesPerMinute,
    lookUpMs,
    publicUrl: config.publicUrl,
    onAway: warnOf(logger, 'preview not looked up'),
  });

  metrics.pages.inc({ page: 'unavailable' }, 0);
  const clientAddress = createClientAddress(config.trustedProxies);
  const onFault = atMostEvery(1000);
  const handler = createRedirectHandler({
    links,
    stops,
    recorder: await openRecorder(shared, db),
    clientAddress,
    misses: createSlidingWindows({ windowMs: 60_000, maxKeys: 100_000 }),
    missesPerMinute: config.missesPerMinute,
    previews,
    onPage: page => metrics.pages.inc({ page }),
    onFault: (error, requestId) =>
      onFault(skipped => logger.error({ err: error, request_id: requestId, skipped }, 'redirect failed')),
    times,
    pages,
    nextRequestId: createRequestIds(clock),
  });
  return { handler, lease, links, clientAddress };
}

/** A fault under load writes one line a second of its kind. */
function warnOf(logger: Logger, message: string): (error: unknown) => void {
  const sometimes = atMostEvery(1000);
  return error => sometimes(skipped => logger.warn({ err: error, skipped }, message));
}

function watchDatabase(probe: () => Promise<void>, isRefusal: (error: unknown) => boolean, logger: Logger) {
  return createDatabaseWatch({
    probe,
    isRefusal,
    isAway: isUnavailable,
    silenceMs,
    onChange: (silent, error) =>
      silent
        ? logger.warn({ err: error }, 'postgres does not answer: known codes are served from memory')
        : logger.info('postgres answers again'),
  });
}

/** Installations are told apart by the address of PostgreSQL itself: the password may change, and a pooler come or go. */
export const installationOf = ({ databaseDirectUrl }: Pick<Config, 'databaseDirectUrl'>) =>
  hash('sha256', databaseDirectUrl.replace(/\/\/[^/@]*@/, '//'));

/** Whether known codes could be served without any engine. */
export const canServe = (config: Pick<Config, 'spoolDir' | 'databaseDirectUrl'>): Promise<boolean> =>
  hasSnapshot(config.spoolDir, installationOf(config), Date.now());

async function loadSnapshot(
  snapshot: { load: ReturnType<typeof createLinkSnapshot>['load'] },
  logger: Logger,
) {
  const outcome = await snapshot
    .load()
    .catch((error: unknown) => ({ kind: 'not_used' as const, reason: String(error) }));
  if (outcome.kind === 'loaded') logger.info({ links: outcome.links }, 'snapshot of links read');
  else if (outcome.kind === 'not_used') logger.warn({ reason: outcome.reason }, 'snapshot of links not used');
}
