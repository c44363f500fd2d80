import { createIngestChores } from '../ingest/chores.ts';
import type { LogEntry, ScanLogReader } from '../ingest/ingest.ts';
import { createLagMetrics } from '../ingest/lag-metrics.ts';
import { watchLag } from '../ingest/lag-watch.ts';
import { createIngestMetrics } from '../ingest/metrics.ts';
import { createIngest } from '../ingest/service.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import { pendingClickHouseMigrations } from '../platform/clickhouse-migrations.ts';
import type { Logger } from '../platform/logger.ts';
import { createPostgres } from '../platform/postgres.ts';
import { createLogMeter } from '../scans/log-meter.ts';
import { createScanLog, type ScanLog } from '../scans/scan-log.ts';
import { createAnnouncer } from '../webhooks/announcer.ts';
import { createWebhookEraser } from '../webhooks/erasure.ts';
import { createQueue } from '../webhooks/queue.ts';
import { watchEngines } from './readiness-checks.ts';
import type { Shared } from './shared.ts';

/** Brings the scans of every shard from the log to where they are counted and asked about; starts at once. */
export async function startIngest(
  { config, logger, metrics, lifecycle, readiness, clock, nats, tracer }: Shared,
  clickhouse: ClickHouse,
): Promise<void> {
  const db = createPostgres(config, error => logger.warn({ err: error }, 'postgres connection lost'));
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

  const log = toReader(createScanLog({ nats }), logger);
  const counters = createIngestMetrics(metrics.registry);
  const announcer = createAnnouncer({ db, queue: createQueue(nats, config.scanLogReplicas) });
  for (let shard = 0; shard < config.scanShards; shard++) {
    const ingest = createIngest({ db, clickhouse, log, announcer, shard, logger, counters, tracer });
    lifecycle.defer(`ingest of shard ${shard}`, () => ingest.stop());
    ingest.start();
  }
  const chores = createIngestChores({
    db,
    clickhouse,
    logger,
    others: createWebhookEraser(db, clickhouse),
  });
  lifecycle.defer('chores', () => chores.stop());
  chores.start();
  const meter = createLogMeter(() => nats.connection());
  const lagMetrics = createLagMetrics(metrics.registry);
  const { scanShards: shards } = config;
  lifecycle.defer('lag', watchLag({ db, log: meter, shards, clock, metrics: lagMetrics }));
}

/** What cannot be read is handed on without a batch and set aside there; what the log no longer has is said aloud. */
function toReader(log: ScanLog, logger: Logger): ScanLogReader {
  return {
    async *read(shard, afterPosition, signal) {
      for await (const entry of log.read(shard, afterPosition, signal)) {
        if (entry.kind === 'batch') yield entry;
        else if (entry.kind === 'unreadable')
          yield { position: entry.position, batch: null } as unknown as LogEntry;
        else
          logger.error(
            { shard, position: entry.position, batches: entry.count },
            'scan log was trimmed before it was read',
          );
      }
    },
  };
}
