import { createBackupMetrics } from '../backup/metrics.ts';
import { watchBackups } from '../backup/watch.ts';
import { createIngestChores } from '../ingest/chores.ts';
import { createErasureMetrics } from '../ingest/erasure-metrics.ts';
import { createLagMetrics } from '../ingest/lag-metrics.ts';
import { watchLag } from '../ingest/lag-watch.ts';
import { createIngestMetrics } from '../ingest/metrics.ts';
import { createIngest } from '../ingest/service.ts';
import { createShardWorkers } from '../ingest/shards.ts';
import { createStreamMetrics, createTrimMetrics } from '../ingest/stream-metrics.ts';
import { watchStreams } from '../ingest/stream-watch.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import { pendingClickHouseMigrations } from '../platform/clickhouse-migrations.ts';
import { createPostgres } from '../platform/postgres.ts';
import { measureStreams } from '../platform/stream-sizes.ts';
import { createScanLog } from '../scans/scan-log.ts';
import { createSpoolsLeft } from '../scans/spools-left.ts';
import { createSpoolsLeftMetrics, watchSpoolsLeft } from '../scans/spools-left-watch.ts';
import { createAnnouncer } from '../webhooks/announcer.ts';
import { createAnnouncerMetrics } from '../webhooks/announcer-metrics.ts';
import { createDoubtCheck } from '../webhooks/doubtful-messages.ts';
import { createWebhookEraser } from '../webhooks/erasure.ts';
import { createQueue } from '../webhooks/queue.ts';
import { watchEngines } from './readiness-checks.ts';
import type { Shared } from './shared.ts';
import { queueOptions, scanStreamOptions, streamBounds } from './stream-options.ts';

const connectMs = 2_000;

/** Brings the scans of every shard from the log to where they are counted and asked about; starts at once. */
export async function startIngest(
  { config, logger, metrics, pools, lifecycle, readiness, clock, nats, tracer }: Shared,
  clickhouse: ClickHouse,
): Promise<void> {
  const lost = (error: Error) => logger.warn({ err: error }, 'postgres connection lost');
  const db = createPostgres(config, lost, pools.of('ingest'));
  lifecycle.defer('postgres of ingest', () => db.close());
  watchEngines(readiness, { postgres: db, nats, clickhouse }, ['postgres', 'nats', 'clickhouse']);
  // A ClickHouse that is away is waited for by the work itself; one that answers must be up to date.
  const pending = await pendingClickHouseMigrations(clickhouse).catch(error => {
    logger.warn({ err: error }, 'clickhouse not reached');
    return [];
  });
  if (pending.length > 0) {
    throw new Error(`ClickHouse lacks ${pending.join(', ')}. Run \`signpost migrate\`, then start again.`);
  }

  const log = createScanLog({ nats });
  const counters = createIngestMetrics(metrics.registry);
  const { deferred } = createAnnouncerMetrics(metrics.registry);
  const announcer = createAnnouncer({
    db,
    queue: createQueue(nats, queueOptions(config)),
    deferred,
    doubted: createDoubtCheck({ db, clickhouse, logger }),
  });
  const workers = createShardWorkers({
    shards: () => log.shards(),
    least: config.scanShards,
    create: shard => createIngest({ db, clickhouse, log, announcer, shard, logger, counters, tracer }),
    logger,
  });
  lifecycle.defer('ingest', () => workers.stop());
  workers.start();
  const chores = createIngestChores({
    db,
    clickhouse,
    logger,
    others: createWebhookEraser(db, clickhouse),
    metrics: createErasureMetrics(metrics.registry),
  });
  lifecycle.defer('chores', () => chores.stop());
  chores.start();
  const lagMetrics = createLagMetrics(metrics.registry);
  lifecycle.defer('lag', watchLag({ db, log, clock, metrics: lagMetrics }));
  const leftMetrics = createSpoolsLeftMetrics(metrics.registry);
  lifecycle.defer('spools left', watchSpoolsLeft(createSpoolsLeft(db), leftMetrics));
  lifecycle.defer('backups', watchBackups({ db, logger, metrics: createBackupMetrics(metrics.registry) }));
  const sizes = async () =>
    measureStreams(await nats.whenConnected(AbortSignal.timeout(connectMs)), streamBounds(config));
  lifecycle.defer(
    'streams of ingest',
    watchStreams({
      db,
      log,
      maxBytes: scanStreamOptions(config).maxBytes,
      sizes,
      metrics: createStreamMetrics(metrics.registry),
      onTrimmed: createTrimMetrics(metrics.registry).trimmed,
      logger,
    }),
  );
}
