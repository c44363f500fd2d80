import { randomUUID } from 'node:crypto';
import { createBackupMetrics } from '../backup/metrics.ts';
import { watchBackups } from '../backup/watch.ts';
import { createIngestJobs } from '../ingest/background-jobs.ts';
import { createErasureMetrics } from '../ingest/erasure/metrics.ts';
import { createLagMetrics } from '../ingest/lag-metrics.ts';
import { watchLag } from '../ingest/lag-watch.ts';
import { createIngestMetrics } from '../ingest/metrics.ts';
import { collectNotRedirected } from '../ingest/not-redirected.ts';
import { readOwnership } from '../ingest/ownership.ts';
import { createIngest } from '../ingest/service.ts';
import { createShardWorkers } from '../ingest/shards.ts';
import { createStreamMetrics, createTrimMetrics } from '../ingest/stream-metrics.ts';
import { watchStreams } from '../ingest/stream-watch.ts';
import { createBackgroundJobs } from '../platform/background-jobs.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import { pendingClickHouseMigrations } from '../platform/clickhouse-migrations.ts';
import { createPostgres } from '../platform/postgres.ts';
import { measureStreams } from '../platform/stream-sizes.ts';
import { createReaderAnnouncement } from '../scans/log/readers.ts';
import { createScanLog } from '../scans/log/scan-log.ts';
import { createSpoolsLeft } from '../scans/spool/left-behind.ts';
import { createSpoolsLeftMetrics, watchSpoolsLeft } from '../scans/spool/left-behind-watch.ts';
import { createQueue } from '../webhooks/delivery/queue.ts';
import { createScanPublisher } from '../webhooks/delivery/scan-publisher.ts';
import { createScanPublisherMetrics } from '../webhooks/delivery/scan-publisher-metrics.ts';
import { createUnconfirmedCheck } from '../webhooks/delivery/unconfirmed-messages.ts';
import { createWebhookEraser } from '../webhooks/erasure.ts';
import { watchEngines } from './readiness-checks.ts';
import type { Shared } from './shared.ts';
import { queueOptions, scanStreamOptions, streamBounds } from './stream-options.ts';

const connectMs = 2_000;

/** Counts the scans of every shard and stores them for analytics; starts at once. */
export async function startIngest(
  { config, logger, metrics, pools, lifecycle, readiness, clock, nats, tracer }: Shared,
  clickhouse: ClickHouse,
): Promise<void> {
  const lost = (error: Error) => logger.warn({ err: error }, 'postgres connection lost');
  const db = createPostgres(config, lost, pools.observerFor('ingest'));
  lifecycle.defer('postgres of ingest', () => db.close());
  watchEngines(readiness, { postgres: db, nats, clickhouse }, ['postgres', 'nats', 'clickhouse']);
  // The workers wait for a ClickHouse that is down; one that answers must be migrated.
  const pending = await pendingClickHouseMigrations(clickhouse).catch(error => {
    logger.warn({ err: error }, 'clickhouse not reached');
    return [];
  });
  if (pending.length > 0) {
    throw new Error(`ClickHouse lacks ${pending.join(', ')}. Run \`signpost migrate\`, then start again.`);
  }

  const processId = randomUUID();
  const announcement = createReaderAnnouncement(db, processId);
  const announcing = createBackgroundJobs(logger, [announcement.job]);
  lifecycle.defer('reader of the log', async () => {
    await announcing.stop();
    await announcement.withdraw().catch(() => undefined);
  });
  announcing.start();
  const log = createScanLog({ nats });
  const counters = createIngestMetrics(metrics.registry);
  const { deferred } = createScanPublisherMetrics(metrics.registry);
  const publisher = createScanPublisher({
    db,
    queue: createQueue(nats, queueOptions(config)),
    onDeferred: deferred,
    onUnconfirmed: createUnconfirmedCheck({ db, clickhouse, logger }),
  });
  const workers = createShardWorkers({
    shards: () => log.shards(),
    minShards: config.scanShards,
    create: shard =>
      createIngest({ db, clickhouse, log, publisher, shard, owner: processId, logger, counters, tracer }),
    ownership: () => readOwnership(db, processId),
    logger,
  });
  lifecycle.defer('ingest', () => workers.stop());
  workers.start();
  const jobs = createIngestJobs({
    db,
    clickhouse,
    logger,
    otherStores: createWebhookEraser(db, clickhouse),
    metrics: createErasureMetrics(metrics.registry),
  });
  lifecycle.defer('background jobs', () => jobs.stop());
  jobs.start();
  lifecycle.defer('requests not redirected', collectNotRedirected({ nats, db, logger }));
  const lagMetrics = createLagMetrics(metrics.registry);
  lifecycle.defer('lag', watchLag({ db, log, clock, metrics: lagMetrics }));
  const leftMetrics = createSpoolsLeftMetrics(metrics.registry);
  lifecycle.defer('spools left', watchSpoolsLeft(createSpoolsLeft(db), leftMetrics));
  lifecycle.defer('backups', watchBackups({ db, logger, metrics: createBackupMetrics(metrics.registry) }));
  const measure = async () =>
    measureStreams(await nats.whenConnected(AbortSignal.timeout(connectMs)), streamBounds(config));
  lifecycle.defer(
    'streams of ingest',
    watchStreams({
      db,
      log,
      maxBytes: scanStreamOptions(config).maxBytes,
      measure,
      metrics: createStreamMetrics(metrics.registry),
      onTrimmed: createTrimMetrics(metrics.registry).trimmed,
      logger,
    }),
  );
}
