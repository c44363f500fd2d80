import { randomUUID } from 'node:crypto';
import { createBackupMetrics } from '../backup/metrics.ts';
import { watchBackups } from '../backup/watch.ts';
import { createIngestJobs } from '../ingest/background-jobs.ts';
import { createErasureMetrics } from '../ingest/erasure/metrics.ts';
import { createLagMetrics } from '../ingest/lag/lag-metrics.ts';
import { watchLag } from '../ingest/lag/lag-watch.ts';
import { createStreamMetrics, createTrimMetrics } from '../ingest/lag/stream-metrics.ts';
import { watchStreams } from '../ingest/lag/stream-watch.ts';
import { createIngestMetrics } from '../ingest/metrics.ts';
import { readOwnership } from '../ingest/ownership.ts';
import { createIngest } from '../ingest/service.ts';
import { createShardWorkers } from '../ingest/shards.ts';
import { createBackgroundJobs } from '../platform/background-jobs.ts';
import type { ClickHouse } from '../platform/clickhouse/clickhouse.ts';
import { pendingClickHouseMigrations } from '../platform/clickhouse/clickhouse-migrations.ts';
import { createPostgres, type Database } from '../platform/postgres/postgres.ts';
import { markUsedUp } from '../qrcodes/targets/used-up.ts';
import { createReaderAnnouncement } from '../scans/log/readers.ts';
import { createSaltKeeper } from '../scans/salt-keeper.ts';
import { createSpoolsLeft } from '../scans/spool/left-behind.ts';
import { createSpoolsLeftMetrics, watchSpoolsLeft } from '../scans/spool/left-behind-watch.ts';
import { createUnconfirmedCheck } from '../webhooks/delivery/queue/unconfirmed-messages.ts';
import { createScanPublisher } from '../webhooks/delivery/scan-publisher.ts';
import { createScanPublisherMetrics } from '../webhooks/delivery/scan-publisher-metrics.ts';
import { createWebhookEraser } from '../webhooks/erasure.ts';
import { pickNats, watchEngines } from './engines/readiness-checks.ts';
import type { ScanStore } from './scan-store.ts';
import type { Shared } from './shared.ts';

/** Counts the scans of every shard and stores them for analytics once the process has started. */
export async function startIngest(
  { config, logger, metrics, pools, lifecycle, readiness, clock, engines, tracer, onConnectionLost }: Shared,
  store: ScanStore,
): Promise<void> {
  const db = createPostgres(config, onConnectionLost, pools.observerFor('ingest'));
  lifecycle.defer('postgres of ingest', () => db.close());
  const { clickhouse } = store;
  watchEngines(readiness, { postgres: db, clickhouse, ...pickNats(engines), ...engines.watchedLog() }, [
    'postgres',
    'nats',
    'logNats',
    'clickhouse',
  ]);
  if (clickhouse) await requireMigrated(clickhouse, logger);

  const processId = randomUUID();
  if (!engines.isAlone) announceReader(db, processId, { logger, lifecycle });
  const keeper = createSaltKeeper(db);
  const createSalts = async () => {
    const salts = await keeper.create(clock.now());
    if (salts > 0) logger.info({ salts }, 'salts created');
    return false;
  };
  // Before any role of this process takes scans; the job tries again if PostgreSQL is away.
  await createSalts().catch(() => undefined);
  const saltJobs = createBackgroundJobs(logger, [
    { name: 'create salts', everyMs: 60_000, run: createSalts },
    {
      name: 'destroy old salts',
      everyMs: 3_600_000,
      async run() {
        const salts = await keeper.destroyOld();
        if (salts > 0) logger.info({ salts }, 'old salts destroyed');
        return false;
      },
    },
  ]);
  lifecycle.defer('salts of ingest', () => saltJobs.stop());
  lifecycle.whenStarted(() => saltJobs.start());
  const log = engines.scanLog;
  const counters = createIngestMetrics(metrics.registry);
  const { deferred } = createScanPublisherMetrics(metrics.registry);
  const publisher = createScanPublisher({
    db,
    queue: engines.openQueue(db),
    onDeferred: deferred,
    onUnconfirmed: createUnconfirmedCheck({ db, logger }),
  });
  const rows = store.openRows(db);
  const workers = createShardWorkers({
    shards: () => log.shards(),
    minShards: config.scanShards,
    create: shard =>
      createIngest({
        markUsedUp,
        db,
        rows,
        log,
        publisher,
        shard,
        owner: processId,
        logger,
        counters,
        tracer,
      }),
    ownership: () => readOwnership(db, processId),
    logger,
  });
  lifecycle.defer('ingest', () => workers.stop());
  lifecycle.whenStarted(() => workers.start());
  const jobs = createIngestJobs({
    db,
    rows,
    clickhouse,
    logger,
    otherStores: createWebhookEraser(db),
    metrics: createErasureMetrics(metrics.registry),
    months: store.openMonths(db),
    retentionMonths: config.scanRetentionMonths,
  });
  lifecycle.defer('background jobs', () => jobs.stop());
  lifecycle.whenStarted(() => jobs.start());
  lifecycle.defer('requests not redirected', engines.collect(db));
  const gauges = {
    lag: createLagMetrics(metrics.registry),
    left: createSpoolsLeftMetrics(metrics.registry),
    backups: createBackupMetrics(metrics.registry),
    streams: createStreamMetrics(metrics.registry),
    trimmed: createTrimMetrics(metrics.registry).trimmed,
  };
  lifecycle.whenStarted(() => {
    lifecycle.defer('lag', watchLag({ db, log, clock, metrics: gauges.lag }));
    lifecycle.defer('spools left', watchSpoolsLeft(createSpoolsLeft(db), gauges.left));
    lifecycle.defer('backups', watchBackups({ db, logger, metrics: gauges.backups }));
    lifecycle.defer(
      'streams of ingest',
      watchStreams({
        db,
        log,
        maxBytes: engines.maxLogBytes,
        measure: engines.measure,
        ...(engines.trimExpired ? { trimExpired: engines.trimExpired } : {}),
        metrics: gauges.streams,
        onTrimmed: gauges.trimmed,
        logger,
      }),
    );
  });
}

/** The workers wait for a ClickHouse that is down; one that answers must be migrated. */
async function requireMigrated(clickhouse: ClickHouse, logger: Shared['logger']): Promise<void> {
  const pending = await pendingClickHouseMigrations(clickhouse).catch(error => {
    logger.warn({ err: error }, 'clickhouse not reached');
    return [];
  });
  if (pending.length > 0)
    throw new Error(`ClickHouse lacks ${pending.join(', ')}. Run \`signpost migrate\`, then start again.`);
}

/** Tells redirects which layouts of the log this process reads. The only process knows that of itself. */
function announceReader(
  db: Database,
  processId: string,
  { logger, lifecycle }: Pick<Shared, 'logger' | 'lifecycle'>,
): void {
  const announcement = createReaderAnnouncement(db, processId);
  const announcing = createBackgroundJobs(logger, [announcement.job]);
  lifecycle.defer('reader of the log', async () => {
    await announcing.stop();
    await announcement.withdraw().catch(() => undefined);
  });
  announcing.start();
}
