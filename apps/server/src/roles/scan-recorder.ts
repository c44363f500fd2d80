import { resolve } from 'node:path';
import { recordReached } from '../ingest/lag.ts';
import { createStreamMetrics } from '../ingest/stream-metrics.ts';
import { createIds } from '../kernel/ids.ts';
import { throttle } from '../kernel/throttle.ts';
import { poll, runEvery } from '../platform/background-jobs.ts';
import { diagnoseNats } from '../platform/diagnosis/nats.ts';
import type { Database } from '../platform/postgres.ts';
import { createWriteCheck } from '../platform/write-check.ts';
import type { ScanRecorder } from '../redirect/handler.ts';
import { createEnricher } from '../scans/enrich.ts';
import { bundledGeoipFiles, openGeoip } from '../scans/geoip.ts';
import { ackedWriter, createAckedPositions } from '../scans/log/acked-positions.ts';
import { traceAppends } from '../scans/log/append-trace.ts';
import { openBoundedLog } from '../scans/log/bounded-log.ts';
import { watchReaders } from '../scans/log/readers.ts';
import { watchSpreads } from '../scans/log/spreads.ts';
import { keepStreams } from '../scans/log/streams.ts';
import { createScanMetrics } from '../scans/metrics.ts';
import { createSalts } from '../scans/salts.ts';
import { openScanWriter } from '../scans/scan-writer.ts';
import { watchSpoolDisk } from '../scans/spool/disk.ts';
import { createSpoolsLeft, type SpoolsLeft } from '../scans/spool/left-behind.ts';
import { windowOf } from '../scans/visitor.ts';
import { logScanWriterEvents } from './scan-writer-logging.ts';
import type { Shared } from './shared.ts';
import { trackLeftSpool } from './spool-logging.ts';
import { withSetting } from './starting.ts';
import { scanStreamOptions } from './stream-options.ts';

/** Time reserved at shutdown for what closes after the spool is drained: PostgreSQL, NATS. */
const closeReserveMs = 3_000;

/** Turns requests into scans and writes them: to the log, and to the disk while the log is down. */
export async function openRecorder(
  { config, logger, metrics, lifecycle, clock, openLogNats, tracer }: Shared,
  db: Database,
): Promise<ScanRecorder> {
  const ids = createIds(clock);
  const nats = openLogNats();

  const streams = scanStreamOptions(config);
  lifecycle.defer(
    'streams',
    keepStreams(nats, streams, error => {
      const cause = diagnoseNats(error, 'NATS');
      const fault = cause ? `${cause.finding}. ${cause.remedy}` : undefined;
      logger.warn({ err: error, fault }, 'scan log not ready');
    }),
  );
  const shards = Array.from({ length: streams.shards }, (_, shard) => shard);
  const streamMetrics = createStreamMetrics(metrics.registry);
  const { log, fill } = openBoundedLog({
    nats,
    shards: streams.shards,
    maxBytes: streams.maxBytes,
    onAck: (shard, position) => positions[shard]!.acked(position),
    onSizes: sizes => streamMetrics.set(sizes),
  });
  lifecycle.defer('fill of the log', () => fill.stop());
  // With a database user that may only read, ingest alone records how far the log reaches.
  const mayWriteLogs = createWriteCheck(db, 'scan_logs');
  const positions = shards.map(shard => {
    const writeAcked = ackedWriter(db, shard);
    return createAckedPositions({
      nats,
      async readState() {
        const state = await log.stateOf(shard);
        if (await mayWriteLogs()) await recordReached(db, log, { shard, state }).catch(() => undefined);
        return state;
      },
      write: async (...position) => {
        if (await mayWriteLogs()) await writeAcked(...position);
      },
    });
  });
  lifecycle.defer('acked positions', () => Promise.all(positions.map(position => position.stop())));
  const readers = watchReaders(db);
  lifecycle.defer('readers of the log', readers.stop);
  const spreads = await watchSpreads(db);
  lifecycle.defer('spreads', spreads.stop);
  const writer = await withSetting('SPOOL_DIR', 'Name a directory that this user may write.', () =>
    openScanWriter({
      appenders: shards
        .map(log.appender)
        .map(appender => (tracer ? traceAppends(appender, tracer) : appender)),
      spreadOf: spreads.spreadOf,
      clock,
      ids,
      spoolDir: config.spoolDir,
      spoolMaxMb: config.spoolMaxMb,
      version: readers.version,
      onEvent: logScanWriterEvents({ logger, metrics }),
    }),
  );
  const leftSpool = trackLeftSpool({
    left: spoolsLeftIfAllowed(db),
    directory: resolve(config.spoolDir),
    logger,
  });
  lifecycle.defer('scan writer', async leftMs => {
    const [stats] = await Promise.all([writer.close(leftMs - closeReserveMs), leftSpool.stop()]);
    await leftSpool.recordLeft(stats);
  });
  const disk = watchSpoolDisk(config.spoolDir);
  lifecycle.defer('spool disk', disk.stop);
  createScanMetrics(metrics.registry, writer, clock, config.spoolMaxMb * 1024 * 1024, disk);
  // To Prometheus a series that begins at 1 looks as if nothing had happened.
  for (const outcome of ['logged', 'spooled', 'lost']) metrics.scans.inc({ outcome }, 0);

  const salts = createSalts({ db, kind: config.visitorWindow });
  const warn = throttle(60_000);
  const isMissing = () => salts.of(windowOf(clock.now().getTime(), config.visitorWindow)) === null;
  const readSalts = async () => {
    const error = await salts.read(clock.now()).catch(reason => reason);
    if (error) warn(skipped => logger.warn({ err: error, skipped }, 'salt not read'));
    else if (isMissing())
      warn(skipped => logger.warn({ skipped }, 'there is no salt for this window: ingest creates it'));
  };
  await readSalts();
  const stopReading = runEvery(60_000, readSalts);
  // Without the salt every visitor counts as new: after a start without PostgreSQL, a minute would be too long.
  const stopRetrying = poll(1_000, async () => isMissing() && readSalts());
  lifecycle.defer('salts', async () => {
    stopReading();
    await stopRetrying();
  });

  const files = config.geoipFiles.length > 0 ? config.geoipFiles : bundledGeoipFiles();
  const enrich = createEnricher({
    geoip: await withSetting('GEOIP_FILES', 'Name MMDB files that can be read, or leave it empty.', () =>
      openGeoip(files),
    ),
    salts,
    ids,
    windowKind: config.visitorWindow,
    onVisitorWithoutSalt: () => metrics.visitorsWithoutSalt.inc(),
  });

  return {
    record(link, { method, headers, address }, onRecorded) {
      const scan = enrich({ link, method, headers, address, atMs: clock.now().getTime() });
      if (typeof scan === 'string') {
        metrics.notCounted.inc({ reason: scan });
        return false;
      }
      writer.write(scan, onRecorded);
      return true;
    },
  };
}

/** A database user that may only read records no spool: what is left is only logged. */
function spoolsLeftIfAllowed(db: Database): Pick<SpoolsLeft, 'record' | 'remove'> {
  const left = createSpoolsLeft(db);
  const mayWrite = createWriteCheck(db, 'spools_left');
  return {
    async record(spool) {
      if (!(await mayWrite())) throw new Error('The database user may only read');
      await left.record(spool);
    },
    async remove(spoolId) {
      if (await mayWrite()) await left.remove(spoolId);
    },
  };
}
