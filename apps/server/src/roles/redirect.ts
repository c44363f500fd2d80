import { hash } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { presentError } from '../http/errors.ts';
import { createClientAddress } from '../kernel/addresses/client-address.ts';
import { createIds } from '../kernel/ids.ts';
import { createRequestIds } from '../kernel/request-ids.ts';
import { throttle } from '../kernel/running/throttle.ts';
import { withTimeout } from '../kernel/running/with-timeout.ts';
import { createSlidingWindows } from '../limits/sliding-windows.ts';
import type { Logger } from '../platform/logger.ts';
import { ownPools } from '../platform/postgres/pool-sizes.ts';
import { connectionRefusalCheck, createPostgres, isUnavailable } from '../platform/postgres/postgres.ts';
import { createPostgresProbe, type PostgresProbe } from '../platform/postgres/postgres-probe.ts';
import { explainNotRedirected } from '../redirect/decide.ts';
import { createRedirectHandler } from '../redirect/handler.ts';
import { createHosts } from '../redirect/hosts.ts';
import { DatabaseWatch } from '../redirect/links/database-watch.ts';
import { createKeyFilter } from '../redirect/links/key-filter.ts';
import { KeyLoader } from '../redirect/links/key-loader.ts';
import { LinkSnapshot } from '../redirect/links/link-snapshot.ts';
import { createLinks, type Trust } from '../redirect/links/links.ts';
import { createLookupGate } from '../redirect/links/lookup-gate.ts';
import { createLookups } from '../redirect/links/lookups.ts';
import { hasSnapshot } from '../redirect/links/snapshot-file.ts';
import { createStops } from '../redirect/links/stops.ts';
import {
  createLinkStore,
  createStopCatchUp,
  createStopReader,
  createUnnumberedReader,
} from '../redirect/links/store.ts';
import { createRedirectMetrics } from '../redirect/metrics.ts';
import { createNotRedirectedCounter } from '../redirect/not-redirected.ts';
import { createPages } from '../redirect/pages.ts';
import { createPreviews } from '../redirect/preview.ts';
import { createResponseTimes } from '../redirect/response-times.ts';
import { createTlsAsk } from '../redirect/tls-ask.ts';
import { countScan } from '../scans/counting-rule.ts';
import type { LinkLease } from './engines/engines.ts';
import { watchEngines } from './engines/readiness-checks.ts';
import { openRecorder } from './scan-recorder.ts';
import type { Shared } from './shared.ts';

/** A scanner does not wait longer than this for PostgreSQL. */
const lookupTimeoutMs = 2000;
/** Nor longer than this if memory has an answer and PostgreSQL is near; 150 ms are promised. */
const silenceMs = 120;
/** A far PostgreSQL is silent after twice its round trip and this much more. */
const silenceMarginMs = 60;
/** A query that has no answer by then never gets one: its connection is replaced. */
const queryMs = 1000;
const queryTimeouts = { databaseTimeoutMs: queryMs, connectTimeoutMs: lookupTimeoutMs };
const probeMs = 500;

/** Everything that answers short links, wired together; nothing listens yet. */
export async function buildRedirect(shared: Shared) {
  const { config, linkNames, logger, metrics, pools, lifecycle, readiness, clock, engines } = shared;
  const db = createPostgres(
    { ...config, ...queryTimeouts },
    shared.onConnectionLost,
    pools.observerFor('redirect'),
  );
  lifecycle.defer('postgres of redirects', () => db.close());

  const stops = createStops(createStopReader(db));
  const { lease, changes, roundTripMs } = engines.openLease(
    { invalidate: keys => links.invalidate(keys), applyStops: stops.apply },
    createUnnumberedReader(db, stops),
    db,
  );
  lifecycle.defer('lease', () => lease.stop());

  const probe = createPostgresProbe(config.databaseUrl, probeMs);
  lifecycle.defer('database probe', () => probe.close());
  const isRefusal = connectionRefusalCheck(config);
  const watch = watchDatabase(probe, isRefusal, logger);
  watch.start();
  lifecycle.defer('database watch', () => watch.stop());
  const lookups = createLookups({
    store: createLinkStore(db, stops),
    watch,
    isRefusal,
    silenceMs,
  });
  lifecycle.defer('lookups', () => lookups.stop());
  const gate = createLookupGate();
  const filter = createKeyFilter();
  const trust = createTrust({ lease, changes });
  const links = createLinks({
    lookups,
    watch,
    gate,
    filter,
    trust,
    maxLinks: config.linksInMemory,
    maxUnknown: 100_000,
    unknownMs: 10_000,
    silenceMs,
    lookupTimeoutMs,
    staleLinks: config.staleLinks,
    clock,
    onLookupError: createWarn(logger, 'link not looked up'),
  });
  const hosts = createHosts({
    own: [linkNames.base, config.publicUrl, config.imageBaseUrl, ...config.shortHosts],
    domains: stops.domains,
    trust,
    catchUp: inTime(watch, createStopCatchUp(db, stops)),
  });
  const snapshot = new LinkSnapshot({
    dir: config.spoolDir,
    installation: identifyInstallation(config),
    links,
    stops,
    clock,
    onError: error => logger.warn({ err: error }, 'snapshot of links not written'),
  });
  await loadSnapshot(snapshot, logger);
  snapshot.start();
  lifecycle.defer('snapshot of links', () => snapshot.stop());
  lease.start();
  const loader = new KeyLoader({ db, filter, lease, onError: createWarn(logger, 'short codes not read') });
  lifecycle.whenStarted(() => loader.start());
  lifecycle.defer('short codes', () => loader.stop());
  watchEngines(readiness, { postgres: db, ...engines.watched, ...engines.watchedLog() }, []);
  const pages = createPages((error, requestId) => presentError(error, requestId, config.publicUrl));
  const times = createResponseTimes([200, 302, 421, ...Object.values(pages).map(page => page.status)]);
  const roundTripsMs = { postgres: probe.roundTripMs, redis: roundTripMs };
  const measured = { lease, changes, links, watch, gate, filter, snapshot, times, roundTripsMs };
  createRedirectMetrics(metrics.registry, measured);

  const previewDb = createPostgres(
    { ...config, ...queryTimeouts, databasePoolSize: ownPools.previews },
    shared.onConnectionLost,
    pools.observerFor('previews'),
  );
  lifecycle.defer('postgres of previews', () => previewDb.close());
  const previews = createPreviews({
    db: previewDb,
    watch,
    gate: createLookupGate(),
    windows: createSlidingWindows({ windowMs: 60_000, maxKeys: 100_000 }),
    perMinute: config.unknownCodesPerMinute,
    lookupTimeoutMs,
    publicUrl: config.publicUrl,
    onLookupError: createWarn(logger, 'preview not looked up'),
  });

  metrics.pages.inc({ page: 'unavailable' }, 0);
  const notRedirected = createNotRedirectedCounter({
    send: engines.handOver,
    clock,
    ids: createIds(clock),
  });
  lifecycle.defer('requests not redirected', () => notRedirected.stop());
  const clientAddress = createClientAddress(config.trustedProxies);
  const onFault = throttle(1000);
  const handler = createRedirectHandler({
    links,
    stops,
    hosts,
    unknownHosts: config.unknownHosts,
    onUnknownHost: engines.unknownHosts.note,
    staleLinks: config.staleLinks,
    recorder: await openRecorder(shared, db),
    clock,
    clientAddress,
    unknownCodes: createSlidingWindows({ windowMs: 60_000, maxKeys: 100_000 }),
    unknownCodesPerMinute: config.unknownCodesPerMinute,
    previews,
    onPage: page => metrics.pages.inc({ page }),
    onNotRedirected(link, { method, headers }, nowMs) {
      const reason = explainNotRedirected(link, stops.reasonFor(link), nowMs);
      if (reason && countScan({ method, headers }) === 'counted') notRedirected.add(link.qrCodeId, reason);
    },
    onError: (error, requestId) =>
      onFault(skipped => logger.error({ err: error, request_id: requestId, skipped }, 'redirect failed')),
    times,
    pages,
    nextRequestId: createRequestIds(clock),
  });
  return { handler, lease, links, clientAddress, tlsAsk: createTlsAsk(hosts) };
}

/** Memory may be used under a lease, and what is in it for as long as no change was missed. */
const createTrust = ({ lease, changes }: Pick<LinkLease, 'lease' | 'changes'>): Trust => ({
  isGood: () => lease.isGood(),
  get epoch() {
    return changes.epoch;
  },
  get term() {
    return lease.term;
  },
});

/** Rejects when PostgreSQL has been silent for as long as a scanner waits where memory has an answer, as look-ups do. */
const inTime = (watch: DatabaseWatch, read: () => Promise<void>) => async (): Promise<void> => {
  if (watch.silentMs() >= silenceMs) throw new Error('PostgreSQL does not answer');
  const silence = Promise.withResolvers<never>();
  const cancel = watch.onSilence(silenceMs, () => silence.reject(new Error('PostgreSQL does not answer')));
  // One broken connection may only mean that the server was restarted.
  const answer = watch.track(read).catch(() => watch.track(read));
  try {
    await withTimeout(lookupTimeoutMs, Promise.race([answer, silence.promise]));
  } finally {
    cancel();
  }
};

/** A failure under load writes one line a second. */
function createWarn(logger: Logger, message: string): (error: unknown) => void {
  const eachSecond = throttle(1000);
  return error => eachSecond(skipped => logger.warn({ err: error, skipped }, message));
}

function watchDatabase(probe: PostgresProbe, isRefusal: (error: unknown) => boolean, logger: Logger) {
  return new DatabaseWatch({
    probe: probe.ping,
    isRefusal,
    isUnreachable: isUnavailable,
    silenceMs,
    limitMs: () => silenceLimitMs(probe.roundTripMs()),
    onChange: (silent, error) =>
      silent
        ? logger.warn({ err: error }, 'postgres does not answer: known codes are served from memory')
        : logger.info('postgres answers again'),
  });
}

/** How long PostgreSQL may take to answer before it is silent. Of one that was never reached nothing is known. */
export const silenceLimitMs = (roundTripMs: number | null): number =>
  roundTripMs === null ? queryMs : Math.min(queryMs, Math.max(silenceMs, 2 * roundTripMs + silenceMarginMs));

/** An installation is identified by the address of PostgreSQL itself: the password may change, and so may the pooler. */
export const identifyInstallation = ({ databaseDirectUrl }: Pick<Config, 'databaseDirectUrl'>) =>
  hash('sha256', databaseDirectUrl.replace(/\/\/[^/@]*@/, '//'));

/** Whether known codes could be served from disk, without any engine. */
export const canServe = (config: Pick<Config, 'spoolDir' | 'databaseDirectUrl'>): Promise<boolean> =>
  hasSnapshot(config.spoolDir, identifyInstallation(config), Date.now());

async function loadSnapshot(snapshot: Pick<LinkSnapshot, 'load'>, logger: Logger) {
  const outcome = await snapshot
    .load()
    .catch((error: unknown) => ({ kind: 'not_used' as const, reason: String(error) }));
  if (outcome.kind === 'loaded') logger.info({ links: outcome.links }, 'snapshot of links read');
  else if (outcome.kind === 'not_used') logger.warn({ reason: outcome.reason }, 'snapshot of links not used');
}
